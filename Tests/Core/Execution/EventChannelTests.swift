@testable import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

@Suite(.bounded)
struct EventChannelTests {
    private let channel = EventChannel<LoadEvent, ImageError>()
    private let preview = Image(
        info: ImageInfo(format: .plain, storedSize: PixelSize(1, 1)), bitmap: Bitmap(1, 1) { _, _ in .white })

    /// Returns the remaining events, one word each.
    private func rest() async throws -> [String] {
        var words: [String] = []
        while let event = try await channel.next() { words.append(event.word) }
        return words
    }

    @Test func slowReaderGetsOnlyTheNewestReplaceableEvents() async throws {
        channel.send(.queued)
        for count in 1...50 {
            channel.send(.progress(receivedByteCount: count, expectedByteCount: nil))
            channel.send(.preview(preview))
        }
        channel.send(.queued)
        channel.send(.started)
        channel.send(.progress(receivedByteCount: 51, expectedByteCount: nil))
        channel.finish()
        #expect(try await rest() == ["queued", "preview", "queued", "started", "progress 51"])
    }

    @Test func noEventFollowsTheEnd() async throws {
        channel.send(.queued)
        channel.finish()
        channel.send(.started)
        #expect(try await rest() == ["queued"])
        channel.send(.started)
        #expect(try await rest().isEmpty)
    }
}

extension LoadEvent {
    /// The name of the event, with the byte count of progress.
    var word: String {
        switch self {
        case .cached: "cached"
        case .queued: "queued"
        case .started: "started"
        case .response: "response"
        case .progress(let count, _): "progress \(count)"
        case .preview: "preview"
        case .finished: "finished"
        }
    }
}
