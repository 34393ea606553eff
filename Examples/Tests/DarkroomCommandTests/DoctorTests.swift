import Darkroom
import DarkroomTestKit
import Foundation
import InstalledCoders
import Testing

@testable import DarkroomCommand

struct DoctorTests {
    @Test func soundMachineHasNoFailures() async throws {
        try await withTemporaryDirectory { cache in
            let run = try await darkroom("doctor", "--json", "--cache", cache.path)
            let checks = try run.objects
            #expect(run.status == 0)
            #expect(
                checks.map { $0["check"] as? String } == [
                    "darkroom", "png", "jpeg", "gif", "webp", "color",
                ] + InstalledCoders.formats.map(\.fileExtension) + [
                    "cache", "processor", "memory", "pressure", "files", "isolation", "http", "proxy", "trust",
                    "packages",
                ])
            #expect(checks.allSatisfy { Set($0.keys) == ["check", "status", "finding", "libraries"] })
            #expect(checks.allSatisfy { ["ok", "note"].contains($0["status"] as? String) })
            let libraries = checks.compactMap { $0["libraries"] as? [String: String] }.flatMap(\.keys)
            #expect(libraries.sorted() == ["giflib", "lcms2", "libdeflate", "libjpeg-turbo", "libpng", "libwebp"])
        }
    }

    @Test func cacheThatCannotBeCreatedIsAFailure() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "file")
            try Data().write(to: file)
            let run = try await darkroom("doctor", "--cache", file.appending(path: "cache").path)
            #expect(run.status == 1)
            #expect(run.lines.contains { $0.hasPrefix("failed  cache      ") })
        }
    }

    @Test func doctorDoesNotCreateTheCache() async throws {
        try await withTemporaryDirectory { folder in
            let cache = folder.appending(path: "none/cache")
            let run = try await darkroom("doctor", "--cache", cache.path)
            #expect(run.lines.contains("ok      cache      \(cache.path): does not exist yet, can be created"))
            #expect(try folder.names.isEmpty)
        }
    }

    @Test func contentsOfTheCacheAreReported() async throws {
        try await withTemporaryDirectory { cache in
            _ = try await darkroom("load", Fixture.path("png-rgb-8.png"), "--thumbnail", "9x9", "--cache", cache.path)
            let run = try await darkroom("doctor", "--cache", cache.path)
            let line = run.lines.first { $0.hasPrefix("ok      cache      \(cache.path): 1 entries, ") }
            #expect(line?.contains("at most") == false, "the limit of another program is not known")
        }
    }

    @Test func terminalGetsNoColours() async throws {
        let (status, output) = try await PseudoTerminal(columns: 80, rows: 24).run(["doctor"])
        #expect(status == 0)
        #expect(output.hasPrefix("ok      darkroom") && !output.contains("\u{1B}"))
    }

    @Test(
        arguments: [
            ("fpu sse avx2", "AVX2"), ("fpu sse avx2 avx512f avx512bw avx512vl", "AVX-512"),
            ("avx2 avx512f", "AVX2"), ("fpu sse2", "portable code"),
        ])
    func processorFlagsSelectTheResizingPath(flags: String, words: String) {
        let checks = MachineChecks { $0 == "/proc/cpuinfo" ? "processor : 0\nflags\t\t: \(flags)\n" : nil }.all
        #expect(checks.first { $0.name == "processor" }?.finding.hasSuffix("resized with \(words)") == true)
    }

    @Test func missingSystemInformationIsNoFailure() {
        let checks = MachineChecks { _ in nil }.all
        #expect(checks.map(\.status) == [.ok, .ok, .note, .note])
    }

    @Test(arguments: [(1024, Check.Status.ok), (64, .note)])
    func lowLimitOnOpenFilesIsNoted(limit: Int, status: Check.Status) {
        let checks = MachineChecks { path in
            path == "/proc/self/limits" ? "Max open files            \(limit)     4096     files\n" : nil
        }.all
        #expect(checks.last?.status == status && checks.last?.finding.hasPrefix("\(limit) may be open") == true)
    }

    @Test func proxyInTheEnvironmentIsNoted() {
        let environment = ["HTTPS_PROXY": "http://proxy:3128", "http_proxy": "", "HOME": "/"]
        let checks = NetworkChecks(environment: environment) { _ in true }.all
        let proxy = checks.first { $0.name == "proxy" }
        #expect(proxy?.status == .note && proxy?.finding.hasPrefix("HTTPS_PROXY is set") == true)
        #expect(NetworkChecks(environment: [:]) { _ in false }.all.map(\.status) == [.ok, .ok, .note])
    }
}
