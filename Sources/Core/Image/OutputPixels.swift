import Synchronization

/// The memory in which a worker process delivers pixels. The next bitmap of the same size is allocated there, so that it need
/// not be copied.
package enum OutputPixels {
    // It is sendable because a worker has one thread, which alone uses the address.
    @safe private struct Slot: @unchecked Sendable {
        var start: UnsafeMutableRawPointer?
        var byteCount = 0
        var isTaken = false
    }

    /// The lock makes it safe that the slot is sent between threads.
    private static let slot = Mutex(Slot())

    /// Whether there is such memory, as in no other process than a worker.
    private static let isSet = Atomic(false)

    /// Runs `body`, in which the next bitmap of `byteCount` bytes is allocated at `start`. None of its pixels may be in use
    /// afterwards.
    package static func with<Result>(
        _ start: UnsafeMutableRawPointer, byteCount: Int, _ body: () throws -> Result
    ) rethrows -> Result {
        slot.withLock { unsafe $0 = Slot(start: start, byteCount: byteCount) }
        isSet.store(true, ordering: .relaxed)
        defer {
            isSet.store(false, ordering: .relaxed)
            slot.withLock { $0 = Slot() }
        }
        return try body()
    }

    /// Returns the memory if it has `byteCount` bytes and is not in use, cleared unless it may be uninitialized.
    static func take(_ byteCount: Int, isUninitialized: Bool) -> UnsafeMutableRawPointer? {
        guard isSet.load(ordering: .relaxed) else { return nil }
        let start: UnsafeMutableRawPointer? = unsafe slot.withLock { slot in
            guard slot.byteCount == byteCount, !slot.isTaken else { return nil }
            slot.isTaken = true
            return unsafe slot.start
        }
        guard let start = unsafe start else { return nil }
        if !isUninitialized { unsafe start.initializeMemory(as: UInt8.self, repeating: 0, count: byteCount) }
        return unsafe start
    }

    /// Makes the memory available again if it starts at `start`. Returns whether it does.
    static func giveBack(_ start: UnsafeMutablePointer<UInt8>?) -> Bool {
        guard isSet.load(ordering: .relaxed) else { return false }
        return slot.withLock { slot in
            guard let own = unsafe slot.start, unsafe UnsafeMutableRawPointer(start) == own else { return false }
            slot.isTaken = false
            return true
        }
    }
}
