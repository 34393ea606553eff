public import DarkroomCore
import DarkroomPlatform
import Synchronization

/// Worker processes in which coders decode and encode, one picture at a time each.
///
/// Several managers may share a pool. It ends its processes when it is released.
public final class WorkerPool: Sendable {
    /// The configuration with which the pool was created.
    public let configuration: Configuration

    /// The share of the idle workers in a memory budget.
    let memory: WorkerMemory

    #if os(Linux)
        private let line: WorkerLine
    #endif

    /// Starts the workers, without waiting until they are ready.
    ///
    /// - Throws: An error of kind `refused` if the configuration makes no sense, or this process is a worker, and of kind
    /// `unsupported` if the system is not Linux, which alone has what isolates a worker.
    public init(_ configure: (inout Configuration) throws -> Void = { _ in }) throws(ImageError) {
        var configuration = Configuration()
        do { try configure(&configuration) } catch { throw ImageError(error, in: .request) }
        try configuration.validate()
        configuration.limitKeptMemory()
        self.configuration = configuration
        memory = WorkerMemory(workerCount: configuration.count)
        #if os(Linux)
            // Otherwise, each worker would start more of them.
            guard unsafe getenv(Layout.variable) == nil else {
                throw .misconfigured(
                    "this process is a worker, but its main does not call WorkerProcess.runIfStarted before it makes a pool"
                )
            }
            line = WorkerLine(configuration)
        #else
            throw ImageError(.unsupported, .request, "coders can be isolated on Linux only")
        #endif
    }

    /// The layers that protect the system from the workers, as the first of them has reported. It waits until that is ready.
    ///
    /// - Throws: An error of kind `unsupported` if no worker can be started, or if a layer is missing that the configuration
    /// requires.
    public var protection: Protection {
        get throws(ImageError) {
            #if os(Linux)
                try greeting().protection
            #else
                []
            #endif
        }
    }

    /// Counts of events in the life of the workers so far.
    public var statistics: Statistics {
        #if os(Linux)
            line.statistics
        #else
            Statistics()
        #endif
    }
}

#if os(Linux)
    extension WorkerPool {
        /// Returns what the first worker has said of itself. It waits until that is ready.
        func greeting() throws(ImageError) -> Greeting {
            if let greeting = line.greeting { return greeting }
            let monitor = WorkMonitor.ofPool
            do {
                return try line.withWorker(check: monitor.check) { try $0.greet() }
            } catch let error as ImageError {
                throw ImageError(.unsupported, .request, error.message)
            } catch {
                throw ImageError(error, in: .request)
            }
        }

        /// Returns the number of the coder `name` in the workers.
        func index(of name: CoderName) throws(ImageError) -> Int {
            guard let index = try greeting().coders.firstIndex(of: name) else {
                throw ImageError(
                    .unsupported, .request,
                    "the worker processes have no \(name.type); register it in the function that is passed to WorkerProcess.runIfStarted as well"
                )
            }
            return index
        }

        /// Returns a number for a file in a worker, which no other has.
        func newToken() -> UInt64 { line.newToken() }

        /// Runs `body` with a worker, which no other thread uses meanwhile: the one with the identifier `id`, if it is idle.
        ///
        /// `body` is repeated with another worker if something outside has ended the first one. It must not use the pool.
        func withWorker<Result>(
            preferring id: Int? = nil, for purpose: Purpose, check: () throws -> Void, _ body: (Worker) throws -> Result
        ) throws -> Result {
            do {
                return try line.withWorker(preferring: id, check: check, body)
            } catch let loss as WorkerLoss {
                // The end of a worker before it was called says nothing about the picture.
                throw ImageError(
                    loss.isEarlier ? .busy : .crashed, purpose.stage,
                    "the worker process \(purpose.description) is gone: \(loss.reason)")
            } catch is MalformedMessage {
                throw ImageError(
                    .crashed, purpose.stage, "the worker process \(purpose.description) has sent a malformed reply")
            }
        }

        /// Runs `body` with the worker `id`. Waits while that is busy. Throws an error of kind `incomplete` if it has ended.
        func withWorker<Result>(
            exactly id: Int, for purpose: Purpose, check: () throws -> Void, _ body: (Worker) throws -> Result
        ) throws -> Result {
            do {
                return try line.withWorker(exactly: id, check: check, body)
            } catch is WorkerLoss {
                throw ImageError(.incomplete, purpose.stage, "the worker process \(purpose.description) is gone")
            } catch is MalformedMessage {
                throw ImageError(
                    .crashed, purpose.stage, "the worker process \(purpose.description) has sent a malformed reply")
            }
        }
    }

    /// The use of a worker, for errors.
    struct Purpose {
        let stage: ImageError.Stage
        let description: String

        static func decoding(_ formats: [ImageFormat]) -> Purpose {
            Purpose(stage: .decode, description: "that decodes \(formats.first?.description ?? "the file")")
        }

        static func encoding(_ format: ImageFormat) -> Purpose {
            Purpose(stage: .encode, description: "that encodes \(format)")
        }
    }

    extension WorkMonitor {
        /// The limits of work for the pool itself.
        static var ofPool: WorkMonitor { InfoRequest(data: Data()).monitor }
    }
#endif
