import DarkroomPlatform
import Synchronization

/// The state that all loads of a manager share: its components, its caches, the runs in flight, and recent failures.
///
/// A load goes through a chain of steps, each of which is a run that all its callers share: `OriginalRun` fetches the
/// original, `ResultRun` makes a result of it, and `FileRun` a file of that. `Step` is what they have in common.
final class LoadPipeline: Sendable {
    typealias Results = SingleFlight<FlightKey, RunEnd<LoadResult>, LoadEvent>
    typealias Originals = SingleFlight<FlightKey, RunEnd<Original>, TransferEvent>
    typealias Files = SingleFlight<FlightKey, RunEnd<EncodedResult>, LoadEvent>
    /// The runs of `DecodeJob`.
    typealias Decodes = SingleFlight<FlightKey, ReservedImage, Never>

    let components: ImageManager.Components
    let caches: ManagerCaches
    let failedURLs: FailedURLs
    let calls = RunningCalls()
    let isObserved: Bool

    let results = Results()
    let originals = Originals()
    let decodes = Decodes()
    let files = Files()
    let revalidations = Revalidations()
    private let encodingQueue: AdmissionQueue?
    /// The generations that removals end.
    private let generations = Mutex(SourceGenerations())

    init(_ components: ImageManager.Components) {
        self.components = components
        caches = ManagerCaches(components)
        failedURLs = FailedURLs(lifetime: components.failedURLLifetime)
        isObserved = !components.observers.isEmpty
        encodingQueue = components.encodingLimit.map {
            let queue = AdmissionQueue(limit: $0.running, waitingLimit: $0.waiting)
            (queue.groupLimit, queue.groupWaitingLimit) = ($0.runningPerHost, $0.waitingPerHost)
            return queue
        }
    }

    /// Whether any loads are in flight, or calls that are about to start some.
    var isRunning: Bool { runningCount > 0 || !calls.isEmpty }

    /// The number of results being made.
    var runningCount: Int { results.count }

    /// The number of callers and runs so far that joined a run in flight.
    var joinedCount: Int { results.joinedCount + originals.joinedCount + decodes.joinedCount + files.joinedCount }

    /// The number of encoded results being made, and of those that wait for that.
    var encodingCounts: (running: Int, waiting: Int) {
        guard let encodingQueue else { return (files.count, 0) }
        return (encodingQueue.runningCount, encodingQueue.waitingCount)
    }

    /// Waits until a file may be made of the source of `request`. Returns the permission; `nil` if there is no limit.
    func admitEncoding(_ request: Request, _ urgency: Urgency) async throws -> Admission? {
        let host = request.url.host?.asciiLowercased
        return try await encodingQueue?.admit(urgency, group: host?.isEmpty == false ? host : nil)
    }

    /// Cancels all runs. Their callers receive an error of kind `cancelled`.
    func cancelAll() {
        calls.cancelAll()
        revalidations.cancelAll()
        files.cancelAll()
        results.cancelAll()
        decodes.cancelAll()
        originals.cancelAll()
    }

    /// Waits until every result delivered so far is stored, and revalidated if it was stale.
    func waitForStores() async {
        await revalidations.wait()
        await caches.waitForStores()
    }

    /// Waits until what was delivered of the source of `request` is stored, if its context requests that.
    func waitForStores(of request: Request) async {
        guard request.context.waitsForStore, let key = request.key else { return }
        await caches.pendingStores.wait(forSource: key.source)
    }
}

// Removals. Runs that began before deliver their results, but store nothing, and loads that begin now do not join them.
extension LoadPipeline {
    /// Removes everything from the caches of the manager. Throws the first error of a cache.
    func removeAll() async throws {
        generations.withLock { $0.endAll() }
        try await caches.removeAll()
    }

    /// Removes the original of `request` and all results made from it. Throws if a cache cannot.
    func removeAll(of request: Request) async throws {
        if let failure = request.failure { throw failure }
        endRuns(of: request)
        try await caches(for: request).removeAll()
    }

    /// Removes what another node has removed from the shared cache: everything of `source`, or everything if it is `nil`.
    func purge(source: String?) async {
        generations.withLock { if let source { $0.end(ofSource: source) } else { $0.endAll() } }
        await caches.purge(source: source)
    }

    /// Makes loads of the source of `request` that begin from now on start runs of their own.
    func endRuns(of request: Request) {
        if let key = request.key { generations.withLock { $0.end(ofSource: key.source) } }
    }

    /// Returns the circumstances in which a run for `request` begins now.
    func circumstances(of request: Request) -> FlightKey.Circumstances {
        var circumstances = FlightKey.Circumstances(transferState: request.transferState)
        if let source = request.key?.source {
            circumstances.generation = generations.withLock { $0.ticket(forSource: source).generation ?? 0 }
        }
        return circumstances
    }
}
