@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct LoadEventTests {
    /// A loader that sends the file in chunks of 100 bytes, each once `gate` is open.
    private func box(_ gate: Gate, ended: Gate = Gate()) -> Darkbox {
        Darkbox(
            FakeLoader { _ in
                let chunks = AsyncThrowingStream<Data, any Error> { stream in
                    let task = Task {
                        var rest = Darkbox.file
                        while !rest.isEmpty {
                            stream.yield(rest.prefix(100))
                            rest = rest.dropFirst(100)
                            await gate.wait()
                        }
                        stream.finish()
                    }
                    stream.onTermination = { _ in
                        task.cancel()
                        ended.open()
                    }
                }
                return LoadResponse(.chunks(chunks), expectedByteCount: Darkbox.file.count)
            })
    }

    @Test func progressPrecedesTheResult() async throws {
        let gate = Gate()
        gate.open()
        var received = -1
        var results = 0
        for try await event in box(gate).manager.events(for: Darkbox.url) {
            #expect(results == 0)
            switch event {
            case .progress(let count, let expected):
                #expect(count > received)
                #expect(expected == Darkbox.file.count)
                received = count
            case .finished(let result):
                #expect(result.image.bitmap == Darkbox.bitmap)
                results += 1
            default: break
            }
        }
        #expect(results == 1)
        #expect(received == Darkbox.file.count)
    }

    @Test(arguments: [true, false])
    func refreshFirstDeliversTheCachedImage(isInMemory: Bool) async throws {
        let box = Darkbox()
        _ = try await box.load { $0.waitsForStore = true }
        if isInMemory { try await box.data.removeAll() } else { box.images.removeAll() }
        var cached: [LoadResult.Origin] = []
        var isFinished = false
        let context = ImageContext { $0.cacheUse = .refresh }
        for try await event in box.manager.events(for: Darkbox.url, context: context) {
            switch event {
            case .cached(let result):
                #expect(!isFinished)
                cached.append(result.origin)
            case .finished: isFinished = true
            default: break
            }
        }
        #expect(cached == [isInMemory ? .memory : .disk] && isFinished && box.loader.requests.count == 2)
    }

    @Test func leavingTheSequenceCancelsTheLoad() async throws {
        let (gate, ended) = (Gate(), Gate())
        let box = box(gate, ended: ended)
        for try await event in box.manager.events(for: Darkbox.url) {
            if case .progress(let count, _) = event, count > 0 { break }
        }
        await ended.wait()
        #expect(!box.manager.isRunning)
        gate.open()
        #expect(box.images.keys.isEmpty)
    }

    @Test func errorEndsTheSequence() async throws {
        let box = Darkbox(FakeLoader { _ in throw ImageError(.network, .load, "unreachable") })
        let error = await #expect(throws: ImageError.self) {
            for try await _ in box.manager.events(for: Darkbox.url) {}
        }
        #expect(error?.kind == .network)
    }

    @Test func memoryHitHasOnlyOneEvent() async throws {
        let box = Darkbox()
        _ = try await box.load()
        var events: [LoadEvent] = []
        for try await event in box.manager.events(for: Darkbox.url) { events.append(event) }
        #expect(events.count == 1)
        guard case .finished(let result) = try #require(events.first) else {
            Issue.record("no result")
            return
        }
        #expect(result.origin == .memory)
    }
}
