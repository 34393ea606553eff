extension MemoryBudget {
    /// Returns the memory of a transfer that begins now, with no bytes yet.
    func makeTransferMemory(_ urgency: Urgency) -> TransferMemory { TransferMemory(makeID(), of: self, urgency) }

    /// Waits until `byteCount` more bytes are reserved for the transfer `id`.
    func grow(_ id: Int, by byteCount: Int, _ urgency: Urgency) async throws {
        if Task.isCancelled { throw ImageError.cancelled }
        let isReserved = settle { state, held, isLast in
            state.grow(id, by: byteCount, held: held, isLast: isLast)
        }
        if !isReserved { try await wait(in: .transfers, as: id, for: byteCount, urgency) }
    }
}
