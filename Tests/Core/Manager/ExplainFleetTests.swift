@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Compares the predictions of `explain` and `explainEncoded` with what a node of a fleet does, for random entries in its
/// own caches and the shared one.
@Suite(.bounded)
struct ExplainFleetTests {
    @Test(arguments: 0..<16) func explainPredictsTheLoadOfANode(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<60 {
            let node = try await ExplainedNode(ExplainedNode.State(&random))
            try await node.check()
        }
    }
}

/// A node of a fleet whose caches have entries of different ages.
private struct ExplainedNode {
    enum Product: CaseIterable { case plain, variant, file, wholeFile }

    /// The entries in one place, and their age in seconds.
    struct Entries: CustomStringConvertible {
        let hasOriginal: Bool
        let hasProduct: Bool
        let age: Double

        init(_ random: inout SeededGenerator) {
            (hasOriginal, hasProduct) = (.random(using: &random), .random(using: &random))
            age = [0.0, 50, 1000].randomElement(using: &random)!
        }

        var description: String {
            let names = [hasOriginal ? "original" : nil, hasProduct ? "product" : nil].compactMap(\.self)
            return names.isEmpty ? "nothing" : "\(names.joined(separator: " and ")) of age \(age)"
        }
    }

    struct State: CustomStringConvertible {
        let product: Product
        let cacheControl: String
        let use: CacheUse
        let hasOriginalCache: Bool
        let own: Entries
        let shared: Entries
        /// Whether the node has had a response that is newer than any entry.
        let hasHadNewer: Bool
        let readsDecodedOriginals: Bool

        init(_ random: inout SeededGenerator) {
            product = Product.allCases.randomElement(using: &random)!
            cacheControl = [
                "max-age=100", "max-age=10, stale-while-revalidate=100", "max-age=10, must-revalidate", "no-cache",
            ].randomElement(using: &random)!
            use = [.standard, .standard, .cacheOnly, .refresh, .loaderOnly].randomElement(using: &random)!
            hasOriginalCache = .random(using: &random)
            (own, shared) = (Entries(&random), Entries(&random))
            hasHadNewer = Int.random(in: 0..<4, using: &random) == 0
            readsDecodedOriginals = .random(using: &random)
        }

        var description: String {
            """
            \(product), \(cacheControl), \(use)\(hasOriginalCache ? ", with a cache of originals" : ""), own: \(own), \
            shared: \(shared)\(hasHadNewer ? ", has had a newer response" : "")
            """
        }
    }

    private let state: State
    private let clock = ManualClock()
    private let origin: FakeOrigin
    private let disk = FakeDataCache()
    private let originals = FakeDataCache()
    private let shared = FakeDataCache()
    private let manager: ImageManager

    init(_ state: State) async throws {
        self.state = state
        var response = FakeOrigin.Response.fresh(Darkbox.file, for: .seconds(100))
        response.headers["cache-control"] = state.cacheControl
        let (origin, clock, disk, originals, shared) = (FakeOrigin(response), clock, disk, originals, shared)
        self.origin = origin
        manager = try ImageManager {
            $0.install(origin)
            $0.install(PlainCoder())
            $0.imageCache = FakeImageCache()
            $0.dataCache = disk
            if state.hasOriginalCache { $0.originalCache = originals }
            $0.resultFormat = .plain
            $0.now = { clock.date }
            $0.shared = SharedCaching(shared)
            $0.shared?.clock = ManualClock()
        }
        try await fill()
    }

    /// Compares the prediction with the load.
    func check() async throws {
        let (before, requestCount) = (await keys, origin.requests.count)
        let plan = await plan()
        #expect(await keys == before && origin.requests.count == requestCount, "nothing is changed: \(state)")
        let isCached = await manager.isCached(Nodes.url, context: context)
        let outcome: Outcome
        do {
            outcome = try await load()
        } catch {
            await manager.waitForStores()
            #expect(plan.origin == nil && plan.failure?.kind == error.kind, "\(state): \(plan)")
            return
        }
        let requests = origin.requests.count - requestCount
        await manager.waitForStores()
        if plan.origin == .network {
            #expect(requests == 1 && !outcome.decision.allowsUse, "\(state): \(plan)")
        } else {
            #expect(outcome.origin == plan.origin && outcome.decision == plan.decision, "\(state): \(plan)")
        }
        if isCached, !isFile { #expect(plan.origin != nil && plan.decision != .missing, "\(state): \(plan)") }
    }

    private struct Outcome {
        let origin: LoadResult.Origin
        let decision: CacheDecision
    }

    private var isFile: Bool { state.product == .file || state.product == .wholeFile }

    private var keys: [Set<CacheKey>] { get async { [disk.keys, originals.keys, shared.keys] } }

    private var context: ImageContext {
        ImageContext {
            if state.product == .variant || state.product == .file { $0.thumbnail = .fit(6, 6) }
            $0.cacheUse = state.use
            if state.readsDecodedOriginals { $0.cachePolicy.originalQuery = .all }
        }
    }

    private func plan() async -> LoadPlan {
        guard isFile else { return await manager.explain(Nodes.url, context: context) }
        return await manager.explainEncoded(Nodes.url, context: context, as: .plain)
    }

    private func load() async throws(ImageError) -> Outcome {
        guard isFile else {
            let result = try await manager.load(Nodes.url, context: context)
            return Outcome(origin: result.origin, decision: result.report.decision)
        }
        let result = try await manager.encoded(Nodes.url, context: context, as: .plain)
        return Outcome(origin: result.origin, decision: result.report.decision)
    }

    /// Copies entries that another process has made.
    private func fill() async throws {
        let last = max(state.own.age, state.shared.age)
        for (entries, isShared) in [(state.own, false), (state.shared, true)] {
            // The clock only runs forward, so each process has its own.
            let (made, clock) = (FakeDataCache(), ManualClock())
            clock.advance(by: .seconds(last - entries.age))
            let maker = try ImageManager {
                $0.install(origin)
                $0.install(PlainCoder())
                $0.dataCache = made
                $0.resultFormat = .plain
                $0.now = { clock.date }
            }
            var context = context
            context.cacheUse = .standard
            if isFile {
                _ = try await maker.encoded(Nodes.url, context: context, as: .plain)
            } else {
                _ = try await maker.load(Nodes.url, context: context)
            }
            await maker.waitForStores()
            for key in made.keys where key.isOriginal ? entries.hasOriginal : entries.hasProduct {
                let own = key.isOriginal && state.hasOriginalCache ? originals : disk
                let entry = try #require(try await made.entry(for: key))
                try await (isShared ? shared : own).store(entry, for: key)
            }
        }
        clock.advance(by: .seconds(last))
        guard state.hasHadNewer else { return }
        let response = SourceResponse(of: Nodes.url.absoluteString, at: LoadMoment(clock.date))
        // It removes what is there, as a newer response does.
        for cache in [originals, disk] { _ = try await cache.startGeneration(of: response, after: nil) }
    }
}
