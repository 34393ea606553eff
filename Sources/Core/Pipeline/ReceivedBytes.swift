#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

/// The bytes of one transfer so far. The transfer appends; whoever makes previews reads.
final class ReceivedBytes: Sendable {
    private let data = Mutex(Data())
    private let expectedByteCount: Int

    /// Room for `expectedByteCount`, within reason: the origin's word about the length is not worth more memory than this.
    init(expectedByteCount: Int) { self.expectedByteCount = max(0, min(expectedByteCount, 1 << 20)) }

    var count: Int { data.withLock { $0.count } }

    /// All bytes. Ask when the last one is there: a later `append` would copy them.
    var all: Data { data.withLock { $0 } }

    func append(_ chunk: Data) {
        data.withLock { data in
            // What comes in one piece need not be copied; a part of something else would keep that alive.
            if data.isEmpty, chunk.startIndex == 0, chunk.count >= expectedByteCount { return data = chunk }
            if data.isEmpty { data.reserveCapacity(expectedByteCount) }
            data.append(chunk)
        }
    }

    /// A copy of the bytes behind the first `offset`.
    func bytes(from offset: Int) -> Data { data.withLock { Data(Array($0[offset...])) } }
}

/// What the transfer of an original tells: the event, and where the bytes are when they come in pieces.
struct TransferEvent: Sendable {
    let event: LoadEvent
    var received: ReceivedBytes?
    var expectedByteCount: Int?
}

extension TransferEvent: FlightEvent {
    func replaces(_ older: TransferEvent) -> Bool { event.replaces(older.event) }
}
