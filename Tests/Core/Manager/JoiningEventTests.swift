@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct JoiningEventTests {
    @Test func joiningCallerReceivesPastEventsAndTheLastPreview() async throws {
        let (received, joined, gate) = (Recorder<String>(), Recorder<String>(), Gate())
        let shown = Gate()
        let rows = 11 + 12 * 4 * 2
        let box = Darkbox(
            FakeLoader { _ in
                let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
                Task {
                    stream.yield(Darkbox.file.prefix(rows))
                    await shown.wait()
                    stream.yield(Darkbox.file.dropFirst(rows).prefix(1))
                    await gate.wait()
                    stream.finish(throwing: ImageError(.network, .load, "broken"))
                }
                return LoadResponse(.chunks(chunks), expectedByteCount: Darkbox.file.count)
            })
        let whole = ImageContext { $0.deliversPreviews = true }
        let first = Task {
            try await box.manager.load(Darkbox.url, context: whole) { event in
                received.note(event.word)
                if case .preview = event { shown.open() }
                if case .progress(rows + 1, _) = event { received.note("all") }
            }
        }
        await StateChanges.wait { received.values.last == "all" }
        let second = Task { try await box.manager.load(Darkbox.url, context: whole) { joined.note($0.word) } }
        // A load of another size joins only the transfer, and makes its own previews of it.
        let (small, other) = (
            Recorder<String>(), ImageContext { ($0.deliversPreviews, $0.thumbnail) = (true, .fit(6, 6)) }
        )
        let third = Task { try await box.manager.load(Darkbox.url, context: other) { small.note($0.word) } }
        await joined.waitForValues(1)
        await small.waitForValues(5)
        gate.open()
        for load in [first, second, third] { await #expect(throws: ImageError.self) { try await load.value } }
        #expect(joined.values == ["queued", "started", "response", "preview", "progress \(rows + 1)"])
        #expect(small.values == ["queued", "started", "response", "progress \(rows + 1)", "preview"])
    }
}
