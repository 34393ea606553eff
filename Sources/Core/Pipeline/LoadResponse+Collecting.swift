#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension LoadResponse {
    /// Returns the body with all its bytes, which are counted against `limits` and in `memory` as they arrive.
    ///
    /// Reading pauses while no memory is available.
    func collected(
        limits: DecodeLimits, memory: TransferMemory, _ emit: (TransferEvent) -> Void
    ) async throws -> (Original.Body, ReceivedBytes?) {
        func checkEnd(_ byteCount: Int) throws {
            guard let expectedByteCount, byteCount != expectedByteCount else { return }
            throw ImageError(
                .network, .load, "the transfer ended after \(byteCount) bytes instead of \(expectedByteCount)")
        }
        switch body {
        case .image(let image): return (.image(image), nil)
        case .notModified:
            throw ImageError(.internal, .load, "the loader returned notModified, but nothing was stored")
        case .data(let data):
            try limits.check(encodedByteCount: data.count)
            try checkEnd(data.count)
            memory.add(data.count)
            memory.finish()
            emit(TransferEvent(event: .progress(receivedByteCount: data.count, expectedByteCount: data.count)))
            return (.data(data), nil)
        case .chunks(let chunks):
            try limits.check(encodedByteCount: expectedByteCount ?? 0)
            let received = ReceivedBytes(expectedByteCount: expectedByteCount ?? 0)
            func emitProgress() {
                let progress = LoadEvent.progress(
                    receivedByteCount: received.count, expectedByteCount: expectedByteCount)
                emit(
                    TransferEvent(event: progress, received: received, expectedByteCount: expectedByteCount))
            }
            emitProgress()
            for try await chunk in chunks {
                try limits.check(encodedByteCount: received.count + chunk.count)
                try await memory.grow(by: chunk.count)
                received.append(chunk)
                emitProgress()
            }
            // A task that was cancelled may see the end of the chunks instead of an error.
            try Task.checkCancellation()
            try checkEnd(received.count)
            memory.finish()
            return (.data(received.all), received)
        }
    }
}
