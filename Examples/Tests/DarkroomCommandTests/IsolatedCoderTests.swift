import Darkroom
import DarkroomIsolation
import Foundation
import InstalledCoders
import Testing

@testable import DarkroomCommand

/// The libraries of the plug-ins in workers with the permissions that the command line and the server give.
@Suite(.serialized, .bounded)
struct IsolatedCoderTests {
    private static let plugins = URL(filePath: Fixture.folder).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Examples/Plugins")

    /// The fixtures of each plug-in, by its format.
    private static let fixtures: [String: [URL]] = {
        let files =
            FileManager.default.enumerator(at: plugins, includingPropertiesForKeys: nil)?
            .compactMap { $0 as? URL } ?? []
        let formats = InstalledCoders.formats.map(\.fileExtension)
        let known = files.filter { formats.contains($0.pathExtension) && $0.path.contains("/Fixtures/") }
        return Dictionary(grouping: known.sorted { $0.path < $1.path }, by: \.pathExtension)
    }()

    private static let local: CoderRegistry? = try? ImageManager { installCrashingCoders(in: &$0) }.coders

    private func isolated(in pool: WorkerPool) throws -> CoderRegistry {
        var coders = try #require(Self.local)
        coders.isolate(in: pool)
        return coders
    }

    @Test func eachPluginHasFixtures() {
        let missing = InstalledCoders.all.filter { coder in
            !coder.formats.contains { Self.fixtures[$0.fileExtension] != nil }
        }
        #expect(missing.isEmpty, "\(missing)")
    }

    @Test(arguments: fixtures.keys.sorted())
    func fixturesHaveTheSamePixelsInAWorker(_ format: String) throws {
        try checkPixels(format, in: IsolatedCoders.makePool(count: 1))
    }

    /// As in a program without drawings, whose workers may make no calls that read files.
    @Test(arguments: fixtures.keys.filter { $0 != "svg" }.sorted())
    func fixturesOfOtherFormatsThanDrawingsNeedNoFolders(_ format: String) throws {
        let pool = try WorkerPool {
            $0.count = 1
            $0.allowsThreads = true
        }
        try checkPixels(format, in: pool)
    }

    @Test func foldersAreReadableOnlyForDrawings() throws {
        let folders = try IsolatedCoders.makePool(count: 1).configuration.readableFolders
        #expect(folders.isEmpty != InstalledCoders.formats.contains { $0.fileExtension == "svg" })
    }

    private func checkPixels(_ format: String, in pool: WorkerPool) throws {
        let (local, isolated) = (try #require(Self.local), try isolated(in: pool))
        for file in try #require(Self.fixtures[format]) {
            let data = try Data(contentsOf: file)
            #expect(try isolated.decode(data).bitmap == local.decode(data).bitmap, "\(file.lastPathComponent)")
        }
        #expect(pool.statistics.crashes == [:])
    }

    @Test(arguments: fixtures.keys.sorted())
    func crashWhileTheLibraryHasThreadsCostsOnePictureAndLeavesNoProcess(_ format: String) throws {
        let pool = try IsolatedCoders.makePool(count: 1)
        let isolated = try isolated(in: pool)
        let data = try Data(contentsOf: try #require(Self.fixtures[format]?.first))
        let error = #expect(throws: ImageError.self) {
            try isolated.decode(data, context: ImageContext { $0[CrashKey.self] = true })
        }
        #expect(error?.kind == .crashed && error?.message.contains("SIGABRT") == true, "\(error?.message ?? "none")")
        #expect(try isolated.decode(data).bitmap == Self.local?.decode(data).bitmap)
        #expect(pool.statistics.crashCount == 1)
        #expect(try Self.workers().count == 1)
    }

    @Test func imageOfATransformIsDecodedByAWorker() async throws {
        let pool = try IsolatedCoders.makePool(count: 1)
        let manager = try ImageManager {
            installCrashingCoders(in: &$0)
            $0.isolateCoders(in: pool)
        }
        let list = try TransformList("watermark:\(Fixture.path("png-3x5.png"))")
        #expect(try await list.transformers(imagesFrom: manager).count == 1)
        #expect(pool.statistics.callCount > 0)
    }

    /// The processes that this one has started with its own program, also those that have ended and were not waited for.
    private static func workers() throws -> [Int] {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int($0) }.filter { process in
            let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8)
            let fields = Set((status ?? "").split(separator: "\n").prefix(8))
            return fields.contains("Name:\texe") && fields.contains("PPid:\t\(getpid())")
        }
    }
}
