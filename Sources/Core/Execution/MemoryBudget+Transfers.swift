extension MemoryBudget {
    /// The size up to which files and entries are read without waiting for memory.
    package static let smallReadByteCount = 256 << 10

    /// Returns the memory of a transfer that begins now, with no bytes yet.
    func makeTransferMemory(_ urgency: Urgency) -> TransferMemory {
        TransferMemory(id: makeID(), budget: self, urgency: urgency)
    }

    /// Waits until `byteCount` more bytes are reserved for the transfer `id`.
    func grow(_ id: Int, by byteCount: Int, urgency: Urgency) async throws {
        if Task.isCancelled { throw ImageError.cancelled }
        if !growNow(id, by: byteCount) { try await wait(in: .transfers, as: id, for: byteCount, urgency: urgency) }
    }

    /// Reserves `byteCount` more bytes for the transfer `id`, unless it would have to wait for that.
    func growNow(_ id: Int, by byteCount: Int) -> Bool {
        tryReserving { state, held, isLastTry in state.grow(id, by: byteCount, held: held, isLastTry: isLastTry) }
    }
}
