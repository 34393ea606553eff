import DarkroomCore

/// The memory that the workers of a pool take while they have no picture, as part of a memory budget.
final class WorkerMemory: MemoryBudget.Tenant {
    /// The private memory of a server's worker with all formats before its first picture, rounded up.
    private static let byteCountPerWorker = 8 << 20

    let heldByteCount: Int

    init(workerCount: Int) {
        heldByteCount = min(workerCount, 1 << 20) * Self.byteCountPerWorker
    }

    /// Releases nothing: a worker needs it to be ready.
    func shrink(by byteCount: Int) {}
}
