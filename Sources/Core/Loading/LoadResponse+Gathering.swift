import DarkroomPlatform

extension LoadResponse {
    /// Returns the body with all its bytes, like `gathered(limits:memory:_:)`, or its image.
    func collected(
        limits: DecodeLimits, memory: TransferMemory, _ emit: (TransferEvent) -> Void
    ) async throws -> (Original.Body, ReceivedBytes?) {
        if case .image(let image) = body { return (.image(image), nil) }
        guard let (data, received) = try await gathered(limits: limits, memory: memory, emit) else {
            throw ImageError(.internal, .load, "the loader returned notModified, but nothing was stored")
        }
        return (.data(data), received)
    }

    /// Returns all bytes of the body, and how they were received if they arrived in chunks; `nil` for a body without
    /// bytes. `emit` receives the progress.
    ///
    /// The bytes are counted against `limits` and in `memory` as they arrive. Reading pauses while no memory is
    /// available.
    func gathered(
        limits: DecodeLimits, memory: TransferMemory? = nil, _ emit: (TransferEvent) -> Void = { _ in }
    ) async throws -> (data: Data, received: ReceivedBytes?)? {
        switch body {
        case .image, .notModified: return nil
        case .data(let data):
            try limits.check(encodedByteCount: data.count)
            try checkEnd(after: data.count)
            memory?.cover(data.count)
            memory?.finish()
            emit(TransferEvent(event: .progress(receivedByteCount: data.count, expectedByteCount: data.count)))
            return (data, nil)
        case .chunks(let chunks):
            try limits.check(encodedByteCount: expectedByteCount ?? 0)
            let received = ReceivedBytes(expectedByteCount: expectedByteCount ?? 0)
            emit(progress(of: received))
            for try await chunk in chunks {
                try limits.check(encodedByteCount: received.count + chunk.count)
                try await memory?.grow(by: chunk.count)
                received.append(chunk)
                emit(progress(of: received))
            }
            // A task that was cancelled may see the end of the chunks instead of an error.
            try Task.checkCancellation()
            try checkEnd(after: received.count)
            memory?.finish()
            return (received.all, received)
        }
    }

    private func progress(of received: ReceivedBytes) -> TransferEvent {
        TransferEvent(
            event: .progress(receivedByteCount: received.count, expectedByteCount: expectedByteCount),
            received: received, expectedByteCount: expectedByteCount)
    }

    private func checkEnd(after byteCount: Int) throws(ImageError) {
        guard let expectedByteCount, byteCount != expectedByteCount else { return }
        throw ImageError(
            .network, .load, "the transfer ended after \(byteCount) bytes instead of \(expectedByteCount)")
    }
}
