@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Compares the results of `explain` and `isCached` with those of `load`, for a table of cache states, policies and
/// freshness.
@Suite(.bounded)
struct ExplainAgreementTests {
    private static let headers: [[String: String]] = [
        ["cache-control": "max-age=100"],
        ["cache-control": "max-age=10, stale-while-revalidate=100"],
        ["cache-control": "max-age=10, must-revalidate"],
        ["cache-control": "no-cache"],
        ["cache-control": "max-age=100, immutable"],
        ["cache-control": "max-age=100", "vary": "Language"],
        [:],
    ]

    /// The rows of the table with these headers and this use. A test case takes only some of them, because it has ten
    /// minutes.
    struct Part: Sendable, CustomTestStringConvertible {
        let headers: [String: String]
        let use: CacheUse

        var testDescription: String { "\(headers) \(use)" }

        static let all = ExplainAgreementTests.headers.flatMap { headers in
            [CacheUse.standard, .cacheOnly, .refresh, .loaderOnly].map { Part(headers: headers, use: $0) }
        }
    }

    /// One row of the table.
    private struct Row: CustomStringConvertible {
        let part: Part
        /// The tiers that contain the image.
        let cached: CacheTiers
        let age: Double
        let policy: Policy
        let isVariant: Bool
        /// Whether the request sends another language than the one that the image was stored for.
        let isForeign: Bool

        var context: ImageContext {
            ImageContext {
                $0.cacheUse = part.use
                $0.cachePolicy = policy.value
                if isVariant { $0.thumbnail = .fit(6, 6) }
                $0.retriesFailed = isForeign
            }
        }

        var description: String {
            "\(part.testDescription) tiers \(cached.rawValue) age \(age) \(policy) variant \(isVariant) foreign \(isForeign)"
        }
    }

    private enum Policy: CaseIterable {
        case standard, memory, disk, none, decodedOriginals

        var value: CachePolicy {
            var policy = CachePolicy()
            switch self {
            case .standard: break
            case .memory: (policy.query, policy.originalQuery) = (.memory, .none)
            case .disk: policy.query = .disk
            case .none: return .none
            case .decodedOriginals: policy.originalQuery = .all
            }
            return policy
        }
    }

    @Test(arguments: Part.all, 0..<16)
    func explainPredictsTheLoad(_ part: Part, tiers: Int) async throws {
        for row in Self.rows(of: part, cached: CacheTiers(rawValue: tiers)) {
            let origin = try await filledOrigin(row)
            let manager = origin.manager
            let plan = await manager.explain(Darkbox.url, context: row.context)
            let isCached = await manager.isCached(Darkbox.url, context: row.context)
            let requestCount = origin.requests.count
            #expect(requestCount == 1, "neither asks the loader: \(row)")
            let result = await load(row.context, manager)
            await manager.waitForStores()
            switch plan.origin {
            case nil:
                #expect(result.failure?.kind == plan.failure?.kind && plan.failure != nil, "\(row): \(plan)")
            case .network:
                #expect(origin.requests.count > requestCount, "\(row): \(plan)")
                #expect(result.value?.report.decision.allowsUse == false, "\(row): \(plan)")
            case let place:
                let decision = result.value?.report.decision
                #expect(result.value?.origin == place && decision == plan.decision, "\(row): \(plan)")
                let isAsked = if case .staleWhileRevalidating = plan.decision { true } else { false }
                #expect(origin.requests.count == requestCount + (isAsked ? 1 : 0), "\(row): \(plan)")
            }
            if isCached { #expect(plan.origin != nil && plan.decision != .missing, "\(row): \(plan)") }
        }
    }

    @Test(arguments: [false, true]) func explainKnowsThatAnEntryIsNoFile(isShared: Bool) async throws {
        let nodes = try Nodes(1, .hourly())
        let manager = nodes.managers[0]
        let key = try #require(manager.prepare(Nodes.url, context: Nodes.small, as: .plain).encoded.key)
        let entry = DataEntry(Darkbox.file, metadata: .init(storedAt: nodes.clock.date))
        try await (isShared ? nodes.shared : nodes.disks[0]).store(entry, for: key)
        let plan = await manager.explainEncoded(Nodes.url, context: Nodes.small, as: .plain)
        let result = try await manager.encoded(Nodes.url, context: Nodes.small, as: .plain)
        #expect(plan.origin == result.origin && result.origin == .network, "\(plan)")
    }

    @Test(arguments: [Nodes.small, ImageContext { $0.waitsForStore = true }])
    func explainKnowsThatASharedEntryIsOlderThanWhatTheNodeHasHad(_ context: ImageContext) async throws {
        let nodes = try Nodes(2, .hourly())
        _ = try await nodes.load(at: 0, context)
        nodes.clock.advance(by: .seconds(60))
        // The response is stored nowhere any more, but has replaced what was there before.
        let response = SourceResponse(of: Nodes.url.absoluteString, at: LoadMoment(nodes.clock.date))
        _ = try await nodes.disks[1].startGeneration(of: response, after: nil)
        let plan = await nodes.managers[1].explain(Nodes.url, context: context)
        let result = try await nodes.load(at: 1, context)
        #expect(plan.origin == result.origin && result.origin == .network, "\(plan)")
    }

    private static func rows(of part: Part, cached: CacheTiers) -> [Row] {
        var rows: [Row] = []
        for age in [0.0, 50, 1000] {
            for policy in Policy.allCases {
                for (isVariant, isForeign) in [(false, false), (true, false), (true, true)] {
                    rows.append(
                        Row(
                            part: part, cached: cached, age: age, policy: policy, isVariant: isVariant,
                            isForeign: isForeign))
                }
            }
        }
        return rows
    }

    private func load(_ context: ImageContext, _ manager: ImageManager) async -> Result<LoadResult, ImageError> {
        do throws(ImageError) {
            return .success(try await manager.load(Darkbox.url, context: context))
        } catch {
            return .failure(error)
        }
    }

    /// Returns an origin whose manager loaded the image some time ago, and has it only in the tiers of `row`.
    private func filledOrigin(_ row: Row) async throws -> Origin {
        let response = LoadResponse(
            .data(Darkbox.file), metadata: ResponseMetadata(url: Darkbox.url, status: 200, headers: row.part.headers))
        let origin = Origin({ _ in response }, fields: { ["language": $0.context.retriesFailed ? "de" : "en"] })
        _ = try await origin.load {
            if row.isVariant { $0.thumbnail = .fit(6, 6) }
            $0.cachePolicy.originalStore = .all
            $0.waitsForStore = true
        }
        let key = try #require(origin.manager.key(for: Darkbox.url, context: row.context))
        var decoded = try #require(origin.box.images.image(for: key))
        decoded.metadata.thumbnail = nil
        if row.isVariant { origin.box.images.store(decoded, for: key.original) }
        if !row.cached.contains(.memory) { origin.box.images.remove(key) }
        if row.isVariant, !row.cached.contains(.decodedOriginals) { origin.box.images.remove(key.original) }
        if row.isVariant, !row.cached.contains(.results) { try await origin.box.data.remove(key) }
        if !row.cached.contains(.originals) { try await origin.box.data.remove(key.original) }
        origin.clock.advance(by: .seconds(row.age))
        return origin
    }
}

extension Result {
    fileprivate var value: Success? { if case .success(let value) = self { value } else { nil } }
    fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
