@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct EncodedResultTests {
    private static let url = Darkbox.url

    /// Options whose format records each encoding.
    private static func small(
        _ encodings: Recorder<Int> = Recorder(), _ configure: (inout ImageContext) -> Void = { _ in }
    ) -> ImageContext {
        ImageContext {
            $0.thumbnail = .fit(6, 6)
            $0.waitsForStore = true
            $0.encodedFormat = EncodedFormat(identifier: "recorded") { _ in
                encodings.note(1)
                return .plain
            }
            configure(&$0)
        }
    }

    private static func bitmap(_ result: EncodedResult) throws -> Bitmap {
        try CoderRegistry([PlainCoder()]).decode(result.data).bitmap
    }

    @Test func encodedFileIsCachedInsteadOfTheImage() async throws {
        let (box, encodings) = (Darkbox(), Recorder<Int>())
        let context = Self.small(encodings)
        let made = try await box.manager.encoded(Self.url, context: context)
        #expect(!made.isCached && made.origin == .network)
        #expect(made.file == EncodedFile(format: .plain, size: PixelSize(6, 4), digest: made.file.digest))
        #expect(made.report.duration(of: .encode) != nil)
        let key = try #require(made.key)
        #expect(box.data.keys == [key, key.original], "the file and the original, but no decoded result")
        for manager in [box.manager, box.restarted()] {
            let hit = try await manager.encoded(Self.url, context: context)
            #expect(hit.isCached && hit.origin == .disk)
            #expect(hit.data == made.data && hit.file == made.file && hit.info == made.info)
        }
        #expect(encodings.values.count == 1 && box.loader.requests.count == 1)
        let image = try await box.load { $0.thumbnail = .fit(6, 6) }
        #expect(try Self.bitmap(made) == image.image.bitmap)
    }

    @Test func equalRequestsShareOneEncoding() async throws {
        let (gate, encodings) = (Gate(), Recorder<Int>())
        let box = Darkbox(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            })
        let context = Self.small(encodings)
        let loads = (0..<5).map { _ in
            Task.immediate { try await box.manager.encoded(Self.url, context: context) }
        }
        await gate.waitForArrivals()
        #expect(box.manager.encodingCounts == (1, 0))
        loads[0].cancel()
        gate.open()
        var results: [EncodedResult] = []
        for load in loads.dropFirst() { results.append(try await load.value) }
        #expect(encodings.values.count == 1 && box.loader.requests.count == 1)
        #expect(Set(results.map(\.data)).count == 1)
        #expect(results.allSatisfy { $0.report.isJoined }, "the leader has left")
        await #expect(throws: ImageError.self) { try await loads[0].value }
    }

    @Test func runWithoutCallersIsCancelled() async throws {
        let (entered, left) = (Gate(), Gate())
        entered.open()
        let box = Darkbox(
            FakeLoader { _ in
                await entered.wait()
                let never = Gate()
                do { try await never.waitUnlessCancelled() } catch { await left.wait() }
                throw ImageError.cancelled
            })
        let load = Task { try await box.manager.encoded(Self.url, context: Self.small()) }
        await entered.waitForArrivals()
        load.cancel()
        await left.waitForArrivals()
        left.open()
        #expect(box.manager.encodingCounts == (0, 0))
    }

    @Test func everyEncodingOptionChangesTheKey() async throws {
        let box = Darkbox()
        let options: [@Sendable (inout ImageContext) -> Void] = [
            { _ in }, { $0.quality = 0.5 }, { $0.quality = 0.6 }, { $0.background = .white },
            { $0.background = Color(red: 1, green: 2, blue: 3) },
            { $0.encodedByteLimit = 100 }, { $0.encodedSizeLimit = PixelSize(3, 3) }, { $0.keepsMetadata = true },
            { $0.thumbnail = .fit(3, 3) }, { $0.encodedFormat = .only(.plain) }, { $0.encodedFormat = .automatic },
        ]
        var keys: Set<CacheKey> = []
        for option in options {
            let result = try await box.manager.encoded(Self.url, context: Self.small { option(&$0) })
            #expect(keys.insert(try #require(result.key)).inserted)
        }
        #expect(box.loader.requests.count == 1)
        let key = box.manager.key(for: Self.url, context: ImageContext { $0.quality = 0.5 })
        #expect(key?.variant == [], "they do not affect the image")
        let bounded = try await box.manager.encoded(
            Self.url, context: Self.small { $0.encodedSizeLimit = PixelSize(3, 3) })
        let boundedSize = try Self.bitmap(bounded).size
        #expect(bounded.isCached && bounded.file.size == boundedSize)
    }

    @Test func formatMayBeSpecified() async throws {
        let result = try await Darkbox().manager.encoded(Self.url, as: .plain)
        #expect(result.file.format == .plain)
        #expect(result.key?.variant.last == "Encoded(Format(darkroom.plain))")
        let error = await #expect(throws: ImageError.self) { try await Darkbox().manager.encoded(Self.url, as: .png) }
        #expect(error?.kind == .unsupported && error?.stage == .encode)
    }

    @Test func unstorableImageIsEncodedEachTime() async throws {
        let (origin, encodings) = (Origin(Origin.picture("no-store")), Recorder<Int>())
        for _ in 0..<2 {
            let result = try await origin.manager.encoded(Self.url, context: Self.small(encodings))
            #expect(!result.isCached && result.freshness == nil)
        }
        #expect(encodings.values.count == 2)
        #expect(origin.box.data.keys.isEmpty)
    }

    @Test func damagedEntryIsReplaced() async throws {
        let (box, encodings) = (Darkbox(), Recorder<Int>())
        let context = Self.small(encodings)
        let key = try #require(try await box.manager.encoded(Self.url, context: context).key)
        var entry = try #require(try await box.data.entry(for: key))
        entry.metadata.file = nil
        try await box.data.store(entry, for: key)
        #expect(try await !box.manager.encoded(Self.url, context: context).isCached)
        #expect(encodings.values.count == 2)
        #expect(try await box.manager.encoded(Self.url, context: context).isCached)
    }

    @Test func failingCacheIsAMiss() async throws {
        let box = Darkbox()
        box.data.fail(with: ImageError(.internal, .cache, "the disk is broken"))
        #expect(try await !box.manager.encoded(Self.url, context: Self.small()).isCached)
    }

    @Test func encodingsBeyondTheLimitAreRefused() async throws {
        let gate = Gate()
        var limit = EncodingLimit()
        (limit.running, limit.waiting) = (1, 1)
        let loader = FakeLoader { _ in
            await gate.wait()
            return LoadResponse(.data(Darkbox.file))
        }
        let box = Darkbox(loader) { $0.encodingLimit = limit }
        @Sendable func load(_ number: Int) async throws -> EncodedResult {
            try await box.manager.encoded(URL(string: "http://example.com/\(number)")!, as: .plain)
        }
        let first = Task { try await load(1) }
        await gate.waitForArrivals()
        let second = Task { try await load(2) }
        await StateChanges.wait { box.manager.encodingCounts.waiting == 1 }
        let again = Task { try await load(2) }
        let error = await #expect(throws: ImageError.self) { try await load(3) }
        #expect(error?.kind == .busy)
        gate.open()
        for load in [first, second, again] { _ = try await load.value }
        #expect(box.manager.encodingCounts == (0, 0))
    }

    @Test(arguments: [(16, 256, 12, 192), (4, 0, 3, 1), (1, .max, 1, .max), (0, -1, .max, 1), (3, .max, -1, .max / 3)])
    func hostMayHaveTheSamePartOfTheWaiting(running: Int, waiting: Int, perHost: Int, waitingPerHost: Int) throws {
        var limit = EncodingLimit()
        #expect(limit.waitingPerHost == nil)
        (limit.running, limit.waiting, limit.runningPerHost) = (running, waiting, perHost)
        // The largest numbers are rounded.
        #expect(try abs(#require(limit.waitingPerHost) - waitingPerHost) < 1024)
    }

    @Test func hostThatDoesNotRespondLeavesPlacesForOthers() async throws {
        let gate = Gate()
        var limit = EncodingLimit()
        (limit.running, limit.waiting, limit.runningPerHost) = (4, 4, 3)
        let loader = FakeLoader { request in
            if request.url.host?.lowercased() == "hung.test" { await gate.wait() }
            return LoadResponse(.data(Darkbox.file))
        }
        let box = Darkbox(loader) { $0.encodingLimit = limit }
        @Sendable func load(_ url: String) async throws -> EncodedResult {
            try await box.manager.encoded(URL(string: url)!, as: .plain)
        }
        let hung = (0..<6).map { number in
            Task { try await load("http://\(number % 2 == 0 ? "hung" : "HUNG").test/\(number)") }
        }
        await gate.waitForArrivals(3)
        await StateChanges.wait { box.manager.encodingCounts.waiting == 3 }
        let error = await #expect(throws: ImageError.self) { try await load("http://hung.test/6") }
        #expect(error?.kind == .busy)
        for number in 0..<8 { _ = try await load("http://example.com/\(number)") }
        #expect(box.manager.encodingCounts == (3, 3))
        gate.open()
        for load in hung { _ = try await load.value }
        #expect(box.manager.encodingCounts == (0, 0))
    }

    /// The duration of a stage includes waiting for a thread.
    @Test(
        .bug(id: "18.5"),
        arguments: [(worked: .zero, isRefused: false), (worked: .seconds(10), isRefused: true)] as [(Duration, Bool)])
    func onlyWorkOnTheImageCountsAsWork(worked: Duration, isRefused: Bool) async throws {
        var components = ImageManager.Components()
        components.coders = CoderRegistry([PlainCoder()])
        let pipeline = LoadPipeline(components)
        let image = Request(Self.url, context: ImageContext { $0.encodedFormat = .only(.plain) }, pipeline: pipeline)
        var report = LoadReport(decision: .missing)
        report.stages = [.init(step: .decode, start: .now, duration: .seconds(1000))]
        report.workTime = worked
        let decoded = try CoderRegistry([PlainCoder()]).decode(Darkbox.file)
        let result = LoadResult(url: Self.url, image: decoded, key: nil, origin: .network, report: report)
        let run = LoadPipeline.Files.Run(cancellation: .init(), urgency: .constant(.normal), emit: { _ in })
        let file = await FileRun(EncodedRequest(image), pipeline: pipeline, run: run)
        let made = await RunEnd(of: Self.url) { try await file.make(of: result, Lookup(tickets: .refused)).value }
        switch made.result {
        case .success: #expect(!isRefused)
        case .failure(let error): #expect(isRefused && error.kind == .overLimit)
        }
    }

    @Test func observersAreNotifiedOfTheLoadOfTheImage() async throws {
        let observer = RecordingObserver()
        let box = Darkbox { $0.install(observer) }
        _ = try await box.manager.encoded(Self.url, context: Self.small())
        #expect(observer.records.values.map { $0.url } == [Self.url])
    }

    @Test func progressOfTheTransferIsReported() async throws {
        let events = Recorder<Int>()
        _ = try await Darkbox().manager.encoded(Self.url, as: .plain) { event in
            if case .progress = event { events.note(1) }
        }
        #expect(!events.values.isEmpty)
    }
}

private struct RecordingObserver: LoadObserver {
    let records = Recorder<LoadRecord>()

    func loadEnded(_ record: LoadRecord) { records.note(record) }
}
