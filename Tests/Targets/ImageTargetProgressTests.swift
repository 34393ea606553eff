@testable import DarkroomCore
@testable import DarkroomTargets
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@MainActor
@Suite(.bounded)
struct ImageTargetProgressTests {
    private let gate = Gate()

    /// A loader that sends a quarter of the file, and the rest once `gate` is open. It announces `expected` bytes.
    private func box(expected: Int? = Darkbox.file.count) -> Darkbox {
        Darkbox(
            FakeLoader { [gate] _ in
                let file = Darkbox.file
                let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
                Task {
                    stream.yield(file.prefix(file.count / 4))
                    try? await gate.waitUnlessCancelled()
                    stream.yield(file.dropFirst(file.count / 4))
                    stream.finish()
                }
                return LoadResponse(.chunks(chunks), expectedByteCount: expected)
            })
    }

    @Test func indicatorStartsAdvancesAndStops() async throws {
        let cell = Cell(box().manager)
        cell.imageSlots.indicator = NotedIndicator()
        let result = await withCheckedContinuation { continuation in
            cell.setImage(Darkbox.url) {
                continuation.resume(returning: $0)
            } onEvent: { [gate] event in
                if case .progress(let count, _) = event, count > 0 { gate.open() }
            }
        }
        #expect(try result.get().origin == .network)
        #expect(cell.notes.prefix(2) == ["nothing", "start"])
        #expect(cell.notes.suffix(2) == ["stop", "network"])
        let fractions = cell.notes.dropFirst(2).dropLast(2).compactMap(Double.init)
        #expect(fractions.count == cell.notes.count - 4 && fractions == fractions.sorted())
        #expect(fractions.contains(Double(Darkbox.file.count / 4) / Double(Darkbox.file.count)))
        #expect(fractions.last == 1 && cell.imageState().fraction == 1)
        #expect(cell.imageState().receivedByteCount == Darkbox.file.count)
    }

    @Test(arguments: [(nil, 0.0), (10, 1.0)])
    func fractionsAreBetweenZeroAndOne(expected: Int?, fraction: Double) async {
        let cell = Cell(box(expected: expected).manager)
        cell.imageSlots.indicator = NotedIndicator()
        gate.open()
        // More bytes than announced are an error at the end, and progress beyond 1 before.
        _ = await cell.load(Darkbox.url)
        #expect(cell.notes.dropFirst(2).dropLast(2).compactMap(Double.init).allSatisfy { (0...1).contains($0) })
        #expect(cell.imageState().fraction == fraction)
    }

    @Test func eachStartIsFollowedByOneStop() async {
        // The loader of a cancelled load must not wait for ever.
        defer { gate.open() }
        let cell = Cell(box().manager)
        cell.imageSlots.indicator = NotedIndicator()
        cell.setImage(Darkbox.url)
        _ = await cell.load(Pictures.url(1)) {
            cell.cancelImageLoad()
            cell.cancelImageLoad()
        }
        #expect(cell.notes == ["nothing", "start", "stop", "placeholder", "start", "stop"])
    }

    @Test func previewsAreShownWithoutCompletingTheLoad() async throws {
        let cell = Cell(box().manager)
        cell.imageSlots.transition = NotedTransition(gate: gate)
        var completions = 0
        await withCheckedContinuation { continuation in
            cell.setImage(Darkbox.url, context: ImageContext { $0.deliversPreviews = true }) { _ in
                completions += 1
                continuation.resume()
            } onEvent: { [gate] event in
                guard case .preview = event else { return }
                #expect(completions == 0 && cell.notes.last == "preview")
                gate.open()
            }
        }
        #expect(cell.notes.contains("preview") && !cell.notes.prefix { $0 != "preview" }.contains("from here"))
        #expect(cell.bitmap == Darkbox.bitmap && completions == 1)
    }
}
