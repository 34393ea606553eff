import DarkroomCore
import DarkroomIsolation
import DarkroomPlatform
import DarkroomTestKit
import TestSupport
import Testing

/// The environment, the descriptors and the limits of a worker that is ready, as it sees them and as the system shows them.
@Suite(.bounded, .withoutThreadSanitizer) struct WorkerProcessTests {
    @Test(arguments: TestEnvironment.allCases)
    func onlyTheChannelAndTheNullDeviceAreOpen(_ environment: TestEnvironment) throws {
        #expect(try result(of: "openDescriptors", in: environment) == 4)
    }

    @Test(arguments: TestEnvironment.allCases)
    func variablesOfTheParentAreNotInherited(_ environment: TestEnvironment) throws {
        // That of workers, one for the crash handler of Swift, and the path of shared libraries.
        let hasLibraries = ProcessInfo.processInfo.environment["LD_LIBRARY_PATH"] != nil
        #expect(try result(of: "variables", in: environment) == (hasLibraries ? 3 : 2))
    }

    @Test func kernelLimitsItsProcessorTimeAndEndsItFirst() throws {
        let name = "observed"
        let pool = try TestEnvironment.standard.makePool {
            $0.count = 1
            $0.executable = try TestEnvironment.program(named: name)
        }
        #expect(try pool.coders.decode(PlainCoder.file(of: .testCard(30, 20))).size == PixelSize(30, 20))
        let worker = try #require(try Self.child(named: name))
        #expect(try Self.text("status", of: worker).contains("CapEff:\t0000000000000000\n"))
        // No process has more.
        #expect(try Self.text("oom_score_adj", of: worker) == "1000\n")
        // The soft limit, which is `unlimited` before the first call: 10 seconds for that, and some more.
        let limits = try Self.text("limits", of: worker).split(separator: "\n")
        let words = try #require(limits.first { $0.hasPrefix("Max cpu time") }).split(separator: " ")
        let seconds = try #require(Int(words[3]), "\(words)")
        #expect((20...60).contains(seconds))
        withExtendedLifetime(pool) {}
    }

    /// Returns the number that the act `name` has in a worker.
    private func result(of name: String, in environment: TestEnvironment) throws -> Int? {
        let coders = try environment.pool.coders
        let error = #expect(throws: ImageError.self) { try coders.decode(HostileCoder.file(name)) }
        return error?.message.split(separator: " ").last.flatMap { Int($0) }
    }

    /// Returns the child of this process whose program has the name `name`.
    private static func child(named name: String) throws -> String? {
        try FileManager.default.contentsOfDirectory(atPath: "/proc").first { process in
            guard Int(process) != nil, let status = try? text("status", of: process) else { return false }
            let fields = Set(status.split(separator: "\n").prefix(8))
            return fields.contains("Name:\t\(name)") && fields.contains("PPid:\t\(getpid())")
        }
    }

    /// Returns the file `name` that the system has about `process`.
    private static func text(_ name: String, of process: String) throws -> String {
        try String(contentsOfFile: "/proc/\(process)/\(name)", encoding: .utf8)
    }
}
