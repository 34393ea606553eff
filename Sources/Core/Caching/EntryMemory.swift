/// The room in memory for the entry that a load reads from a data cache.
///
/// A cache that may have large entries reserves it before it reads one. Without that, thousands of loads could have their
/// entries in memory while they wait to be decoded. Reservations end with the load.
public struct EntryMemory: Sendable {
    /// That of the load for which the current task reads a data cache. In other tasks nothing is reserved.
    @TaskLocal public static var current = EntryMemory(nil)

    private let memory: TransferMemory?

    private init(_ memory: TransferMemory?) { self.memory = memory }

    /// Reserves room for an entry of `byteCount` bytes, and returns whether it has it. There always is for a small entry, so
    /// that it does not wait for large ones.
    ///
    /// It may be called on any thread, and by one at a time.
    public func reserveNow(_ byteCount: Int) -> Bool {
        guard let memory, byteCount > MemoryBudget.smallReadByteCount else { return true }
        return memory.growNow(to: byteCount)
    }

    /// Waits until there is room for an entry of `byteCount` bytes, which the cache then reads.
    ///
    /// - Throws: An error of kind `cancelled` if the task is cancelled.
    public func reserve(_ byteCount: Int) async throws { try await memory?.grow(to: byteCount) }

    /// Calls `body`, in which a data cache reserves `memory`.
    static func with<Result>(_ memory: TransferMemory?, _ body: () async throws -> Result) async rethrows -> Result {
        try await $current.withValue(EntryMemory(memory), operation: body)
    }
}
