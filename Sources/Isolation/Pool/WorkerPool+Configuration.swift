import DarkroomCore
import DarkroomPlatform

extension WorkerPool {
    /// The configuration of a pool.
    public struct Configuration: Sendable {
        /// The number of workers, at least 1. The default is a worker for each processor that this process may use, as many as
        /// the work executor of a manager has threads.
        public var count = SystemProcessors.usableCount

        /// The program of the workers. The default is that of this process.
        public var executable = Executable.thisProgram

        /// The layers without which no worker is used. The default is the filter of system calls, which alone contains a
        /// worker, and the limits.
        public var requires: Protection = [.systemCalls, .limits]

        /// The number of bytes of memory that a worker may use beyond those that it has mapped when it is ready. The default is
        /// 1,280 MiB.
        public var memoryByteCount = 1_280 << 20

        /// The number of calls after which a worker is replaced. The default is 1,000. A still takes one or two, an animation one
        /// for each frame. With 1, each call has a process of its own, which takes some 10 ms more.
        public var callsPerWorker = 1_000

        /// Whether libraries may start threads. The default is `false`. Code that uses `Task` or Dispatch crashes in any
        /// worker.
        public var allowsThreads = false

        /// The folders whose files workers may read, such as those of fonts. The default is none.
        ///
        /// They can be read only where the kernel confines reading to them: with ``WorkerPool/Protection/files``, which is then
        /// the only layer that keeps workers from reading other files. They can see the status of any file.
        public var readableFolders: [String] = []

        /// How much the workers yield to other threads, as for the command `nice`: from 0, not at all, to 19. The default is 5:
        /// of a processor that a worker shares with a thread of this process, such as one that responds to clients or draws,
        /// it gets a quarter.
        public var niceness = 5

        /// How long a worker may take to get ready. The default is 10 seconds.
        public var startTime = Duration.seconds(10)

        /// How long a worker that does not work is waited for.
        package var longestRest = Duration.seconds(5)

        /// The number of bytes of files, of pixels, and of its own pages that a worker may keep for the next call, each. More have
        /// memory of their call only, which costs about a millisecond for each megabyte.
        package var keptByteCount = Layout.pixelCapacity

        /// Creates the default configuration.
        public init() {}

        func validate() throws(ImageError) {
            for (name, value) in [
                ("count", count), ("memoryByteCount", memoryByteCount), ("callsPerWorker", callsPerWorker),
            ]
            where value < 1 {
                throw .misconfigured("\(name) of the worker pool is \(value), and must be 1 or more")
            }
            guard (0...19).contains(niceness) else {
                throw .misconfigured("niceness of the worker pool is \(niceness), and must be from 0 to 19")
            }
        }

        /// Limits what all workers keep to a quarter of the memory that this process may use, `byteCount` bytes.
        package mutating func limitKeptMemory(in byteCount: Int = SystemMemory().byteCount) {
            keptByteCount = min(keptByteCount, byteCount / 12 / count)
        }

        /// The most threads of a worker that are expected to work at once.
        var threadCount: Int { allowsThreads ? SystemProcessors.usableCount + 1 : 1 }
    }

    /// The program of a worker. It must call ``WorkerProcess/runIfStarted(_:)`` first of all.
    public enum Executable: Hashable, Sendable {
        /// The program of this process.
        case thisProgram
        /// The program in the file at this path.
        case file(String)

        var path: String {
            switch self {
            case .thisProgram: "/proc/self/exe"
            case .file(let path): path
            }
        }
    }

    /// The layers that protect the system from a worker.
    public struct Protection: OptionSet, Hashable, Sendable {
        /// A bit for each layer.
        public let rawValue: Int

        /// Creates the layers of these bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// No program can give the worker new privileges.
        public static let noNewPrivileges = Protection(rawValue: 1)

        /// A filter of system calls (seccomp): no network, processes or signals, and no files but for reading them where there
        /// are ``WorkerPool/Configuration/readableFolders`` and the layer ``files``.
        public static let systemCalls = Protection(rawValue: 2)

        /// A second layer for files and the network (Landlock), and the only one that confines reading to
        /// ``WorkerPool/Configuration/readableFolders``.
        public static let files = Protection(rawValue: 4)

        /// Limits of memory, file sizes and processes.
        public static let limits = Protection(rawValue: 8)

        /// All layers.
        public static let all: Protection = [.noNewPrivileges, .systemCalls, .files, .limits]

        /// The names of the layers in settings.
        public static let names = named.map(\.name)

        private static let named: [(name: String, layer: Protection)] = [
            ("noNewPrivileges", .noNewPrivileges), ("systemCalls", .systemCalls), ("files", .files),
            ("limits", .limits),
        ]

        /// Creates the layer with one of the ``names``; `nil` for any other name.
        public init?(name: String) {
            guard let layer = Self.named.first(where: { $0.name == name })?.layer else { return nil }
            self = layer
        }
    }
}

extension WorkerPool.Protection: CustomStringConvertible {
    /// The names of the layers, such as `systemCalls, limits`.
    public var description: String {
        let names = Self.named.filter { contains($0.layer) }.map(\.name)
        return names.isEmpty ? "none" : names.joined(separator: ", ")
    }
}
