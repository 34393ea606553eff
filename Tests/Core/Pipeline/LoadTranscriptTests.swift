@testable import DarkroomCore
import DarkroomTestKit
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Compares the calls of loads with those in `Tests/Transcripts`.
///
/// A change of the pipeline that changes none of its behaviour changes none of these files. If the order of its calls is
/// to change, `DARKROOM_WRITE_TRANSCRIPTS=1 swift test --filter LoadTranscriptTests` writes them anew.
@Suite(.bounded)
struct LoadTranscriptTests {
    private static let isWriting = ProcessInfo.processInfo.environment["DARKROOM_WRITE_TRANSCRIPTS"] == "1"

    private static let folder = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Transcripts")

    @Test(arguments: TranscribedNode.Product.allCases)
    func loadMakesTheCallsOfItsTranscript(_ product: TranscribedNode.Product) async throws {
        let file = Self.folder.appending(path: "\(product.rawValue).txt")
        var sections: [String] = []
        for scenario in TranscribedNode.Scenario.allCases {
            let node = try TranscribedNode(scenario, product)
            sections.append("## \(scenario.rawValue)\n\n" + (try await node.lines()).joined(separator: "\n") + "\n")
        }
        if Self.isWriting { try Data(sections.joined(separator: "\n").utf8).write(to: file) }
        let committed = Self.sections(of: String(decoding: try Data(contentsOf: file), as: UTF8.self))
        #expect(committed.count == sections.count)
        for (section, expected) in zip(sections, committed) {
            #expect(section == expected, "\(product.rawValue), which now is:\n\(section)")
        }
    }

    private static func sections(of text: String) -> [String] {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        var sections: [[Substring]] = []
        for line in lines {
            if line.hasPrefix("## ") { sections.append([]) }
            if !sections.isEmpty { sections[sections.count - 1].append(line) }
        }
        // Each ends with one empty line, which separates it from the next.
        return sections.map { $0.reversed().drop { $0.isEmpty }.reversed().joined(separator: "\n") + "\n" }
    }
}

/// A manager whose calls are recorded, in one state of its caches.
struct TranscribedNode {
    /// The kind of result that is loaded.
    enum Product: String, CaseIterable {
        case plain, variant
        case file = "file-of-a-variant"
        case wholeFile = "file-of-the-original"

        var isFile: Bool { self == .file || self == .wholeFile }
        var isVariant: Bool { self == .variant || self == .file }
    }

    /// The contents of the caches, and the response of the origin server.
    enum Scenario: String, CaseIterable {
        case cold = "Cold"
        case fresh = "Fresh on disk"
        case confirmed = "Expired and confirmed"
        case changed = "Expired and changed"
        case unreachable = "Expired, while the origin server is unreachable"
        case staleMeanwhile = "Stale while revalidating"
        case inMemory = "In memory only"
        case expiredInMemory = "Expired in memory only, while the origin server is unreachable"
        case coldInFleet = "Cold in a fleet"
        case shared = "Shared"
        case sharedExpired = "Shared but expired"
        case coldOnTwoDisks = "Cold, with a cache of originals"
        case changedOnTwoDisks = "Expired and changed, with a cache of originals"

        var isInFleet: Bool { [.coldInFleet, .shared, .sharedExpired].contains(self) }
        var hasTwoDisks: Bool { self == .coldOnTwoDisks || self == .changedOnTwoDisks }
        var isCold: Bool { [.cold, .coldInFleet, .coldOnTwoDisks].contains(self) }
        var isInMemory: Bool { self == .inMemory || self == .expiredInMemory }
        var isFresh: Bool { [.fresh, .inMemory, .shared].contains(self) }
        var isChanged: Bool { self == .changed || self == .changedOnTwoDisks }
        var isUnreachable: Bool { self == .unreachable || self == .expiredInMemory }
    }

    private let scenario: Scenario
    private let product: Product
    private let transcript = LoadTranscript()
    private let clock = ManualClock()
    private let caches = Caches()
    private let leases = FakeLeases(clock: ManualClock())
    /// Has an element once the recorded load has begun.
    private let hasBegun = Recorder<Bool>()
    private let manager: ImageManager
    /// Opened when the recorded load has ended.
    private let end = Gate()

    private struct Caches {
        let images = FakeImageCache()
        let disk = FakeDataCache()
        let originals = FakeDataCache()
        let shared = FakeDataCache()
    }

    init(_ scenario: Scenario, _ product: Product) throws {
        (self.scenario, self.product) = (scenario, product)
        let (caches, transcript, leases, end, hasBegun) = (caches, transcript, leases, end, hasBegun)
        // A load that delivers a stale original decodes it after the revalidation has started.
        let (isStale, request) = (scenario == .staleMeanwhile, DispatchSemaphore(value: 0))
        let waitsInDecode = Mutex<Bool?>(isStale && product == .plain ? true : nil)
        let origin = Self.origin(scenario, hasBegun)
        manager = try Self.manager(clock) {
            $0.install(
                TranscribedLoader(base: origin, transcript: transcript) {
                    guard isStale else { return }
                    request.signal()
                    await end.wait()
                })
            $0.install(PlainCoder { _ in if waitsInDecode.withLock({ $0.take() }) != nil { request.wait() } })
            $0.imageCache = TranscribedImageCache(base: caches.images, transcript: transcript)
            let isAwaited = scenario.isInFleet && scenario != .shared
            func transcribed(_ cache: FakeDataCache, _ name: String, isShared: Bool = false) -> TranscribedDataCache {
                TranscribedDataCache(
                    base: cache, name: name, transcript: transcript, isShared: isShared, isLookAheadAwaited: isAwaited)
            }
            $0.dataCache = transcribed(caches.disk, "disk")
            if scenario.hasTwoDisks { $0.originalCache = transcribed(caches.originals, "originals") }
            guard scenario.isInFleet else { return }
            let shared = transcribed(caches.shared, "shared", isShared: true)
            var options = SharedCaching(shared, leases: TranscribedLeases(base: leases, transcript: transcript))
            options.clock = ManualClock()
            $0.shared = options
        }
    }

    /// Performs the load, and returns its transcript.
    func lines() async throws -> [String] {
        if !scenario.isCold { try await prepare() }
        hasBegun.note(true)
        if !scenario.isFresh { clock.advance(by: .seconds(11)) }
        transcript.start(naming: try names())
        let end = try await load(by: manager, context())
        self.end.open()
        await manager.waitForStores()
        let leases = leases
        await StateChanges.wait { leases.heldNames.isEmpty }
        return transcript.lines + end
    }

    /// Has this manager, another process or another node load the same before.
    private func prepare() async throws {
        if scenario.isInMemory {
            _ = try await load(by: manager, context { ($0.store, $0.originalStore) = (.memory, .none) })
            return
        }
        let origin = Self.origin(scenario, hasBegun)
        let other = try Self.manager(clock) {
            $0.install(origin)
            $0.install(PlainCoder())
            if scenario.isInFleet {
                $0.dataCache = FakeDataCache()
                $0.shared = SharedCaching(caches.shared)
                $0.shared?.clock = ManualClock()
            } else {
                $0.dataCache = caches.disk
                if scenario.hasTwoDisks { $0.originalCache = caches.originals }
            }
        }
        _ = try await load(by: other, context())
        await other.waitForStores()
    }

    /// Loads, and returns the lines about the result.
    private func load(by manager: ImageManager, _ context: ImageContext) async throws -> [String] {
        let (origin, isStale, report): (LoadResult.Origin, Bool, LoadReport)
        if product.isFile, !(scenario.isInMemory && context.cachePolicy.store == .memory) {
            let result = try await manager.encoded(Nodes.url, context: context, as: .plain)
            (origin, isStale, report) = (result.origin, result.isStale, result.report)
        } else {
            let result = try await manager.load(Nodes.url, context: context)
            (origin, isStale, report) = (result.origin, result.isStale, result.report)
        }
        let stages = report.stages.map(\.step.rawValue).joined(separator: ", ")
        return [
            "= from \(origin)\(isStale ? ", stale" : ""): \(report.decision)", "= stages: \(stages)",
        ]
    }

    private func context(_ configure: (inout CachePolicy) -> Void = { _ in }) -> ImageContext {
        ImageContext {
            if product.isVariant { $0.thumbnail = .fit(6, 6) }
            var policy = $0.cachePolicy
            configure(&policy)
            if policy != $0.cachePolicy { $0.cachePolicy = policy }
        }
    }

    private func names() throws -> [CacheKey: String] {
        let original = CacheKey(source: Nodes.url.absoluteString)
        var names = [original: "original"]
        if product.isVariant, let key = manager.key(for: Nodes.url, context: context()) { names[key] = "result" }
        if let key = manager.prepare(Nodes.url, context: context(), as: .plain).encoded.key { names[key] = "file" }
        return names
    }

    private static func manager(
        _ clock: ManualClock, _ configure: (inout ImageManager.Components) throws -> Void
    ) throws -> ImageManager {
        try ImageManager {
            $0.resultFormat = .plain
            $0.now = { clock.date }
            $0.failedURLLifetime = nil
            try configure(&$0)
        }
    }

    /// Returns an origin server, which may change once the recorded load has begun.
    private static func origin(_ scenario: Scenario, _ hasBegun: Recorder<Bool>) -> FakeOrigin {
        FakeOrigin { _ in
            var response = FakeOrigin.Response.fresh(Darkbox.file, for: .seconds(10))
            if scenario == .staleMeanwhile { response.headers["cache-control"]? += ", stale-while-revalidate=60" }
            guard !hasBegun.values.isEmpty else { return response }
            if scenario.isUnreachable { throw ImageError(.network, .load, "unreachable") }
            guard scenario.isChanged else { return response }
            return .fresh(PlainCoder.file(of: Bitmap(12, 8) { _, _ in .white }), for: .seconds(10), tag: "\"2\"")
        }
    }
}
