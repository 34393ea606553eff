/// The room in memory for the entry that a load reads from a cache.
///
/// A cache that may have large entries reserves it before it reads one. Without that, thousands of loads could have their
/// entries in memory while they wait to be decoded. Reservations end with the load.
public struct EntryMemory: Sendable {
    /// That of the load for which the current task reads a data cache or the shared cache. In other tasks nothing is reserved.
    @TaskLocal public static var current = EntryMemory(nil)

    private let memory: TransferMemory?
    private var waits = true

    init(_ memory: TransferMemory?) { self.memory = memory }

    /// The same memory for a shared cache, which does not wait for it.
    var withoutWaits: EntryMemory {
        var other = self
        other.waits = false
        return other
    }

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
    /// In a shared cache it throws an error instead, which the cache passes on: the wait would take the time that a request may
    /// spend on the cache. The cache is called again once there is room.
    ///
    /// - Throws: An error of kind `cancelled` if the task is cancelled, and one of kind `busy` in a shared cache.
    public func reserve(_ byteCount: Int) async throws {
        guard let memory, !reserveNow(byteCount) else { return }
        guard waits else { throw ImageError.noMemory(forEntryOf: byteCount) }
        try await memory.grow(to: byteCount)
    }
}

/// The reason for which a shared cache has not read an entry.
struct MemoryShortage: Error {
    let byteCount: Int
}

extension ImageError {
    static func noMemory(forEntryOf byteCount: Int) -> ImageError {
        ImageError(
            .busy, .cache, "there is no memory for an entry of \(byteCount) bytes now",
            underlying: MemoryShortage(byteCount: byteCount))
    }
}
