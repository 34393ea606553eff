import CoreMetrics
import DarkroomIsolation
import Synchronization

/// The metrics of the worker processes.
final class WorkerMetrics: Sendable {
    private let workers: WorkerPool
    private let last = Mutex<WorkerPool.Statistics?>(nil)
    private let starts = Counter(label: "worker_starts")
    private let crashes = Counter(label: "worker_crashes")
    private let kills = Counter(label: "worker_kills")
    private let busy = Meter(label: "workers_busy")

    /// Creates the metrics of `workers`.
    init(_ workers: WorkerPool) { self.workers = workers }

    /// Updates the metrics. Call it when they are read.
    func sample() {
        let new = workers.statistics
        let old = last.withLock { last in
            defer { last = new }
            return last
        }
        starts.increment(by: new.startCount - (old?.startCount ?? 0))
        crashes.increment(by: new.crashCount - (old?.crashCount ?? 0))
        kills.increment(by: new.killCount - (old?.killCount ?? 0))
        busy.set(new.busyCount)
    }
}
