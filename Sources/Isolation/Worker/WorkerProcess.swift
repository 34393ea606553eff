public import DarkroomCore
import DarkroomPlatform

/// The start of worker processes, for the `main` of their program.
public enum WorkerProcess {
    /// Works for another process and never returns, if this process was started as a worker of a ``WorkerPool``. Otherwise, it
    /// does nothing.
    ///
    /// Call it in the first line of `main`. What comes before runs in every worker, too, and must neither start threads nor
    /// open anything. `configure` adds the coders, with their converter of colours: it is best the function that configures
    /// the components of the manager, of which a worker uses only the coders. It may start no threads either.
    public static func runIfStarted(_ configure: (inout ImageManager.Components) throws -> Void) {
        #if os(Linux)
            guard unsafe getenv(Layout.variable) != nil else { return }
            darkroom_close_from(Layout.channel + 1)
            darkroom_become_expendable()
            WorkerLoop(configure).run()
        #endif
    }
}

#if os(Linux)
    import CIsolation

    extension MessageWriter {
        mutating func put(_ configuration: WorkerPool.Configuration) {
            put(configuration.memoryByteCount)
            put(configuration.keptByteCount)
            put(configuration.niceness)
            put(configuration.allowsThreads)
            put(configuration.readableFolders) { $0.put($1) }
        }
    }

    extension MessageReader {
        /// Reads what a worker needs of the configuration of its pool.
        mutating func configuration() throws(MalformedMessage) -> WorkerPool.Configuration {
            var configuration = WorkerPool.Configuration()
            configuration.memoryByteCount = try count()
            configuration.keptByteCount = try count()
            configuration.niceness = try count()
            configuration.allowsThreads = try bool()
            configuration.readableFolders = try list(byteCount: 8) { reader throws(MalformedMessage) in
                try reader.string()
            }
            return configuration
        }
    }
#endif
