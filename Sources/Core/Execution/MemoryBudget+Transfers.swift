extension MemoryBudget {
    /// Returns the memory of a transfer that begins now, with no bytes yet.
    func makeTransferMemory(_ urgency: Urgency) -> TransferMemory {
        TransferMemory(id: makeID(), budget: self, urgency: urgency)
    }

    /// Waits until `byteCount` more bytes are reserved for the transfer `id`.
    func grow(_ id: Int, by byteCount: Int, urgency: Urgency) async throws {
        if Task.isCancelled { throw ImageError.cancelled }
        let isReserved = tryReserving { state, held, isLastTry in
            state.grow(id, by: byteCount, held: held, isLastTry: isLastTry)
        }
        if !isReserved { try await wait(in: .transfers, as: id, for: byteCount, urgency: urgency) }
    }
}
