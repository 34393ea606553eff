@testable import DarkroomCore
import FoundationEssentials
import Testing

struct ReceivedBytesTests {
    private static var whole: Data { Data(0..<100) }

    /// The same bytes in one piece, in several, and cut out of something longer.
    private static var pieces: [[Data]] {
        [
            [whole], [Data(0..<40), Data(40..<100)], [Data((0..<100).map { [$0] }.joined())],
            [(Data([1, 2, 3]) + whole).dropFirst(3)], [whole.prefix(60), whole.dropFirst(60)], [Data(), whole],
        ]
    }

    @Test(arguments: pieces, [0, 50, 100, 1000])
    func bytesAreIndependentOfTheChunkSizes(_ pieces: [Data], expected: Int) {
        let received = ReceivedBytes(expectedByteCount: expected)
        for piece in pieces { received.append(piece) }
        #expect(received.all == Self.whole)
        #expect(received.all.startIndex == 0)
        #expect(received.count == 100)
        #expect(received.bytes(from: 70) == Data(70..<100))
    }
}
