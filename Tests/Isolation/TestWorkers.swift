import CHostile
import DarkroomColor
import DarkroomCore
import DarkroomGIF
import DarkroomIsolation
import DarkroomJPEG
import DarkroomPNG
import DarkroomPlatform
import DarkroomTestKit
import DarkroomWebP
import Testing

/// Configures the components of the tests and of their workers.
func configureComponents(_ components: inout ImageManager.Components) {
    components.coders = CoderRegistry([
        PNGCoder(), JPEGCoder(), GIFCoder(), WebPCoder(), PlainCoder(), HostileCoder(), GuessingCoder(), OptionCoder(),
    ])
    components.coders.colorConverter = LittleCMSConverter()
}

/// Called by a constructor in C if this program was started as a worker.
@_cdecl("darkroom_run_test_worker")
public func runTestWorker() { WorkerProcess.runIfStarted(configureComponents) }

/// Called by a constructor in C if this program was started as the parent of workers.
@_cdecl("darkroom_run_test_parent")
public func runTestParent() {
    guard let pool = try? TestEnvironment.standard.makePool(), (try? pool.protection) != nil else { exit(1) }
    var byte: UInt8 = 0
    _ = unsafe write(STDOUT_FILENO, &byte, 1)
    while true { pause() }
}

/// Where a worker finds itself.
enum TestEnvironment: String, CaseIterable, CustomTestStringConvertible {
    case standard
    /// In a container of Docker, with its default filter.
    case docker
    case withoutLandlock
    /// Without Landlock, pidfd and close_range.
    case oldKernel
    /// With the permission to start threads.
    case threads
    /// With the permission to read some files.
    case folders

    var testDescription: String { rawValue }

    /// The pools, which all tests share, or why there is none.
    private static let pools: [Self: Result<WorkerPool, any Error>] = Dictionary(
        uniqueKeysWithValues: allCases.map { environment in (environment, Result { try environment.makePool() }) })

    var pool: WorkerPool { get throws { try #require(Self.pools[self]).get() } }

    func makePool(_ configure: (inout WorkerPool.Configuration) throws -> Void = { _ in }) throws -> WorkerPool {
        try WorkerPool {
            $0.count = 2
            // Allocating less than it takes before the time runs out.
            $0.memoryByteCount = 256 << 20
            $0.allowsThreads = self == .threads
            if self == .folders { $0.readableFolders = ["/usr/share/fonts", "/nonexistent"] }
            $0.longestRest = .milliseconds(100)
            $0.executable = try Self.program(named: rawValue)
            try configure(&$0)
        }
    }

    private static let folder = Result { try TemporaryDirectory() }

    /// Returns this program under a name, which tells the worker which environment to make.
    static func program(named name: String) throws -> WorkerPool.Executable {
        guard !["standard", "threads", "folders"].contains(name) else { return .thisProgram }
        let path = try folder.get().url.appending(path: name).path
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        try? FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: program)
        return .file(path)
    }
}

/// The coders that decode in this process.
let localCoders: CoderRegistry = {
    var components = ImageManager.Components()
    configureComponents(&components)
    return components.coders
}()

extension WorkerPool {
    /// The coders that work in the workers of the pool.
    var coders: CoderRegistry {
        var coders = localCoders
        coders.isolate(in: self)
        return coders
    }
}

extension Trait where Self == ConditionTrait {
    /// The thread sanitizer runs threads of its own, which no worker may have.
    static var withoutThreadSanitizer: Self { .disabled(if: hostile_is_thread_sanitized()) }
}
