@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct DeadlineTests {
    /// A loader that sends `byteCount` bytes, and the rest once its gate is open.
    private func slowLoader(_ byteCount: Int, _ gate: Gate, headers: [String: String] = [:]) -> FakeLoader {
        FakeLoader { request in
            let chunks = AsyncThrowingStream<Data, any Error> { stream in
                let task = Task {
                    if byteCount > 0 { stream.yield(Darkbox.file.prefix(byteCount)) }
                    await gate.wait()
                    stream.yield(Darkbox.file.dropFirst(byteCount))
                    stream.finish()
                }
                stream.onTermination = { _ in task.cancel() }
            }
            let metadata = ResponseMetadata(url: request.url, status: 200, headers: headers)
            return LoadResponse(.chunks(chunks), expectedByteCount: Darkbox.file.count, metadata: metadata)
        }
    }

    @Test func resultWithinTheDeadlineIsComplete() async throws {
        let result = try await Darkbox().manager.load(Darkbox.url, within: .seconds(1), clock: ManualClock())
        #expect(result.image.bitmap == Darkbox.bitmap && !result.isStale && !result.isSubstitute)
        #expect(!result.image.metadata.isIncomplete)
    }

    @Test func errorBeforeTheDeadlineIsThrown() async {
        let box = Darkbox(FakeLoader { _ in throw ImageError(.status, .load, "404") })
        let error = await #expect(throws: ImageError.self) {
            try await box.manager.load(Darkbox.url, within: .seconds(1), clock: ManualClock())
        }
        #expect(error?.kind == .status)
    }

    @Test func loadWithoutASubstituteTimesOut() async throws {
        let (gate, clock) = (Gate(), ManualClock())
        let box = Darkbox(slowLoader(0, gate))
        let load = Task { try await box.manager.load(Darkbox.url, within: .seconds(1), clock: clock) }
        await gate.waitForArrivals()
        await clock.waitForSleeps()
        clock.advance(by: .seconds(1))
        let error = await #expect(throws: ImageError.self) { try await load.value }
        #expect(error?.kind == .timedOut && error?.message.contains("1.0 seconds") == true)
        #expect(!box.manager.isRunning, "the load has no other caller")
        gate.open()
    }

    @Test func previewIsTheLastSubstitute() async throws {
        let (gate, clock, shown) = (Gate(), ManualClock(), Recorder<Int>())
        let loader = FakeLoader { _ in
            let chunks = AsyncThrowingStream<Data, any Error> { stream in
                let task = Task {
                    stream.yield(Darkbox.file.prefix(11 + 12 * 4 * 3))
                    await shown.waitForValues(1)
                    stream.yield(Darkbox.file.dropFirst(11 + 12 * 4 * 3).prefix(12 * 4))
                    await gate.wait()
                }
                stream.onTermination = { _ in task.cancel() }
            }
            return LoadResponse(.chunks(chunks), expectedByteCount: Darkbox.file.count)
        }
        let box = Darkbox(loader)
        let load = Task.immediate { try await box.manager.load(Darkbox.url, within: .seconds(1), clock: clock) }
        let watch = Task {
            for try await event in box.manager.events(
                for: Darkbox.url, context: ImageContext { $0.deliversPreviews = true })
            {
                if case .preview = event { shown.note(1) }
            }
        }
        // All observers have received the first preview when the second one is made.
        await shown.waitForValues(2)
        await clock.waitForSleeps()
        clock.advance(by: .seconds(1))
        let result = try await load.value
        #expect(result.image.metadata.isIncomplete && result.origin == .network)
        watch.cancel()
        gate.open()
    }

    @Test func staleEntryIsPreferredToAPreview() async throws {
        let key = CacheKey(source: Darkbox.url.absoluteString)
        let box = Darkbox()
        _ = try await box.load { $0.waitsForStore = true }
        var entry = try #require(await box.data.entry(for: key))
        entry.metadata.original?.freshness?.expires = .distantPast
        try await box.data.store(entry, for: key)
        let (gate, clock, images) = (Gate(), ManualClock(), SizedCache())
        let manager = box.restarted(slowLoader(11 + 12 * 4 * 3, gate)) { $0.imageCache = images }
        let load = Task { try await manager.load(Darkbox.url, within: .seconds(1), clock: clock) }
        await images.stored.waitForValues(1)
        await clock.waitForSleeps()
        clock.advance(by: .seconds(1))
        let result = try await load.value
        #expect(result.isStale && result.image.bitmap == Darkbox.bitmap)
        gate.open()
    }

    /// Loads an image that memory has with `headers`, at the same and at another size, from a slow origin.
    private func loadLate(
        _ headers: [String: String], _ context: @Sendable @escaping (inout ImageContext) -> Void = { _ in }
    ) async throws -> LoadResult {
        let (gate, clock, time) = (Gate(), ManualClock(), ManualClock())
        let slow = slowLoader(0, gate)
        let loader = FakeLoader { request in
            if request.context[LanguageKey.self] != "" { return try await slow.load(request) }
            let metadata = ResponseMetadata(url: request.url, status: 200, headers: headers)
            return LoadResponse(.data(Darkbox.file), metadata: metadata)
        }
        let box = Darkbox(loader) {
            $0.now = { time.date }
            $0.install(OriginLoader(base: loader, fields: { ["language": $0.context[LanguageKey.self]] }))
        }
        _ = try await box.load()
        _ = try await box.load { $0.thumbnail = .fit(6, 6) }
        await box.manager.waitForStores()
        try await box.data.removeAll()
        time.advance(by: .seconds(100))
        let late = ImageContext {
            $0[LanguageKey.self] = "fi"
            context(&$0)
        }
        let load = Task { try await box.manager.load(Darkbox.url, context: late, within: .seconds(1), clock: clock) }
        await gate.waitForArrivals()
        await clock.waitForSleeps()
        clock.advance(by: .seconds(1))
        defer { gate.open() }
        return try await load.value
    }

    @Test func imageInMemoryIsASubstitute() async throws {
        let result = try await loadLate(["cache-control": "max-age=10"])
        #expect(result.isStale && result.image.bitmap == Darkbox.bitmap && result.origin == .memory)
    }

    @Test func imageForOtherFieldsIsNoSubstitute() async throws {
        let error = await #expect(throws: ImageError.self) {
            try await loadLate(["cache-control": "max-age=1000", "vary": "Language"])
        }
        #expect(error?.kind == .timedOut)
    }

    @Test func imageThatMustBeRevalidatedIsNoSubstitute() async throws {
        let error = await #expect(throws: ImageError.self) {
            try await loadLate(["cache-control": "max-age=10, must-revalidate"])
        }
        #expect(error?.kind == .timedOut)
    }

    @Test func loaderOnlyHasNoCachedSubstitute() async throws {
        let error = await #expect(throws: ImageError.self) {
            try await loadLate(["cache-control": "max-age=1000"]) { $0.cacheUse = .loaderOnly }
        }
        #expect(error?.kind == .timedOut)
    }

    @Test func anotherSizeInMemoryIsASubstitute() async throws {
        let (gate, clock) = (Gate(), ManualClock())
        let images = SizedCache()
        let box = Darkbox(slowLoader(0, gate)) { $0.imageCache = images }
        let small = box.manager.key(for: Darkbox.url, context: ImageContext { $0.thumbnail = .fit(6, 6) })!
        images.base.store(
            Image(
                info: ImageInfo(format: .plain, storedSize: PixelSize(12, 8)), bitmap: Bitmap(6, 4) { _, _ in .white }),
            for: small)
        let load = Task { try await box.manager.load(Darkbox.url, within: .seconds(1), clock: clock) }
        await gate.waitForArrivals()
        await clock.waitForSleeps()
        clock.advance(by: .seconds(1))
        let result = try await load.value
        #expect(result.isSubstitute && result.image.size == PixelSize(6, 4) && result.key == small)
        gate.open()
    }
}

/// The value of a header field that the loader adds.
private enum LanguageKey: ImageContextKey {
    static var defaultValue: String { "" }
    static func effect(of value: String) -> ContextEffect { .nothing }
    static func flightFragment(for value: String) -> String? { value.isEmpty ? nil : "Language(\(value))" }
}

/// An image cache that lists the images of a source.
private struct SizedCache: ImageCacheWrapper {
    let base = FakeImageCache()
    let stored = Recorder<CacheKey>()

    func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) {
        base.store(image, for: key, with: ticket)
        stored.note(key)
    }

    func images(ofSource source: String) -> [(CacheKey, Image)] {
        base.keys.filter { $0.source == source }.compactMap { key in base.image(for: key).map { (key, $0) } }
    }
}
