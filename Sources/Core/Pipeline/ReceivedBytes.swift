import DarkroomPlatform
import Synchronization

/// The bytes of one transfer so far. The transfer appends them, and the previewer reads them.
final class ReceivedBytes: Sendable {
    private let data = Mutex(Data())
    private let expectedByteCount: Int

    /// Creates an empty buffer with a capacity of `expectedByteCount`, but at most 1 MiB, because the declared length
    /// may be wrong.
    init(expectedByteCount: Int) { self.expectedByteCount = max(0, min(expectedByteCount, 1 << 20)) }

    var count: Int { data.withLock { $0.count } }

    /// All bytes. Use it only when they are complete: a later `append` would copy them.
    var all: Data { data.withLock { $0 } }

    func append(_ chunk: Data) {
        data.withLock { data in
            // A body in one chunk is used without a copy, unless it is a slice, which would retain the larger buffer.
            if data.isEmpty, chunk.startIndex == 0, chunk.count >= expectedByteCount { return data = chunk }
            if data.isEmpty { data.reserveCapacity(expectedByteCount) }
            data.append(chunk)
        }
    }

    /// Returns a copy of the bytes from `offset` on.
    func bytes(from offset: Int) -> Data { data.withLock { Data(Array($0[offset...])) } }
}

/// An event of the transfer of an original, with the buffer of received bytes if they arrive in chunks.
struct TransferEvent: Sendable {
    let event: LoadEvent
    var received: ReceivedBytes?
    var expectedByteCount: Int?
}

extension TransferEvent: FlightEvent {
    var coalescedKind: Int? { event.coalescedKind }
}
