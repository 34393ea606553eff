@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// Compares what `explain` predicts with what a load does after another one has failed, for a table of failures, stale
/// entries and requests.
@Suite(.bounded)
struct RefusalAgreementTests {
    enum Failure: CaseIterable, Sendable {
        case network, serverError, notFound, noImage, noAccess

        func response(to request: LoadRequest) throws -> LoadResponse {
            switch self {
            case .network: throw ImageError(.network, .load, "unreachable")
            case .serverError: throw error(503, ["cache-control": "max-age=1000"])
            case .notFound: throw error(404, ["cache-control": "max-age=1000"])
            case .noImage: return LoadResponse(.data(Data("no picture".utf8)))
            case .noAccess: throw error(401)
            }
        }

        private func error(_ status: Int, _ headers: [String: String] = [:]) -> ImageError {
            ImageError(
                .status, .load, "the origin returned status \(status)",
                response: ResponseMetadata(url: Darkbox.url, status: status, headers: headers))
        }
    }

    /// A request after the failure.
    private enum Variation: CaseIterable {
        case plain, refresh, cacheOnly, loaderOnly, retry, forgetful, otherPolicy
        case requestModifier, responseModifier, decryptor, coder, loader

        func change(_ context: inout ImageContext) {
            switch self {
            case .plain: break
            case .refresh: context.cacheUse = .refresh
            case .cacheOnly: context.cacheUse = .cacheOnly
            case .loaderOnly: context.cacheUse = .loaderOnly
            case .retry: context.retriesFailed = true
            case .forgetful: context.remembersFailure = { _, _ in false }
            case .otherPolicy: context.cachePolicy.query = .disk
            case .requestModifier: context.requestModifier = { _ in }
            case .responseModifier: context.responseModifier = { _, _ in }
            case .decryptor: context.decryptor = Decryptor { data, _ in data }
            case .coder: context.coder = PlainCoder()
            case .loader: context.loader = FakeLoader(Darkbox.file)
            }
        }

        /// Whether it never looks at remembered failures.
        var isNeverRefused: Bool {
            [.retry, .cacheOnly, .requestModifier, .responseModifier, .decryptor, .coder, .loader].contains(self)
        }
    }

    private static let headers = [
        "max-age=10", "max-age=10, stale-if-error=1000", "max-age=10, must-revalidate", "max-age=1000",
    ]

    @Test(arguments: Failure.allCases, headers)
    func explainPredictsTheLoad(after failure: Failure, headers: String) async throws {
        var (refusalCount, substituteCount) = (0, 0)
        for tiers in (0..<16).map({ CacheTiers(rawValue: $0) }) {
            for variation in Variation.allCases {
                for isVariant in [false, true] {
                    let context = ImageContext {
                        if isVariant { $0.thumbnail = .fit(6, 6) }
                        variation.change(&$0)
                    }
                    let origin = try await failedOrigin(failure, headers, isVariant: isVariant, cached: tiers)
                    let row: Comment = "\(variation) with \(tiers.rawValue), variant \(isVariant)"
                    let plan = await origin.manager.explain(Darkbox.url, context: context)
                    let result = await load(context, origin.manager)
                    check(result, as: plan, row)
                    if result.failure?.kind == .refused { refusalCount += 1 }
                    if case .staleOnError = plan.decision { substituteCount += 1 }
                    if variation.isNeverRefused { #expect(result.failure?.kind != .refused, row) }
                }
            }
        }
        #expect(refusalCount > 0)
        let hasSubstitutes =
            failure == .network
            ? !headers.contains("must-revalidate") : failure == .serverError && headers.contains("stale-if-error")
        #expect((substituteCount > 0) == hasSubstitutes)
    }

    @Test(arguments: Failure.allCases, headers)
    func explainPredictsTheEncodedLoad(after failure: Failure, headers: String) async throws {
        for hasFile in [false, true] {
            for hasOriginal in [false, true] {
                for variation in Variation.allCases {
                    let context = ImageContext {
                        $0.thumbnail = .fit(6, 6)
                        variation.change(&$0)
                    }
                    let origin = try await failedOrigin(failure, headers, hasFile: hasFile, hasOriginal: hasOriginal)
                    let plan = await origin.manager.explainEncoded(Darkbox.url, context: context, as: .plain)
                    let row: Comment = "\(variation) with file \(hasFile), original \(hasOriginal): \(plan)"
                    do throws(ImageError) {
                        let result = try await origin.manager.encoded(Darkbox.url, context: context, as: .plain)
                        #expect(plan.failure == nil, row)
                        if let place = plan.origin, place != .network { #expect(result.origin == place, row) }
                    } catch {
                        #expect(plan.origin == nil && error.kind == plan.failure?.kind, row)
                    }
                }
            }
        }
    }

    private func check(_ result: Result<LoadResult, ImageError>, as plan: LoadPlan, _ row: Comment) {
        switch plan.origin {
        case nil: #expect(result.failure?.kind == plan.failure?.kind && plan.failure != nil, row)
        case .network: #expect(result.value?.report.decision.allowsUse == false, row)
        case let place:
            #expect(result.value?.origin == place, row)
            #expect(result.value?.report.decision == plan.decision, row)
        }
    }

    private func load(_ context: ImageContext, _ manager: ImageManager) async -> Result<LoadResult, ImageError> {
        do throws(ImageError) {
            return .success(try await manager.load(Darkbox.url, context: context))
        } catch {
            return .failure(error)
        }
    }

    /// Returns an origin whose manager loaded the image some time ago, and has failed to load it again.
    private func failedOrigin(
        _ failure: Failure, _ headers: String, isVariant: Bool, cached: CacheTiers
    ) async throws -> Origin {
        let origin = origin(failure, headers)
        let context = ImageContext { if isVariant { $0.thumbnail = .fit(6, 6) } }
        _ = try await origin.load {
            $0.thumbnail = context.thumbnail
            $0.cachePolicy.originalStore = .all
        }
        let key = try #require(origin.manager.key(for: Darkbox.url, context: context))
        if !cached.contains(.memory) { origin.box.images.remove(key) }
        if isVariant, !cached.contains(.decodedOriginals) { origin.box.images.remove(key.original) }
        if isVariant, !cached.contains(.results) { try await origin.box.data.remove(key) }
        if !cached.contains(.originals) { try await origin.box.data.remove(key.original) }
        try await fail(origin)
        return origin
    }

    /// Returns an origin whose manager made the file some time ago, and has failed to load the image again.
    private func failedOrigin(
        _ failure: Failure, _ headers: String, hasFile: Bool, hasOriginal: Bool
    ) async throws -> Origin {
        let origin = origin(failure, headers)
        let context = ImageContext {
            $0.thumbnail = .fit(6, 6)
            $0.waitsForStore = true
        }
        _ = try await origin.manager.encoded(Darkbox.url, context: context, as: .plain)
        let request = origin.manager.prepare(Darkbox.url, context: context, as: .plain).encoded
        if !hasFile { try await origin.box.data.remove(try #require(request.key)) }
        if !hasOriginal { try await origin.box.data.remove(try #require(request.image.originalKey)) }
        try await fail(origin)
        return origin
    }

    private func origin(_ failure: Failure, _ headers: String) -> Origin {
        Origin(
            Origin.picture(headers), { try failure.response(to: $0) }, Origin.picture(headers),
            fields: { _ in failure == .noAccess ? ["authorization": "secret"] : [:] }, remembersAll: true)
    }

    /// Makes the manager remember the failure, in spite of what it has in its caches.
    private func fail(_ origin: Origin) async throws {
        origin.clock.advance(by: .seconds(50))
        await #expect(throws: ImageError.self) { try await origin.load { $0.cacheUse = .loaderOnly } }
        #expect(origin.requests.count == 2)
    }

    /// The run of a load that is refused because its bytes are no image says nothing about one that accepts any bytes.
    @Test func bytesAreDeliveredThoughALoadOfTheImageIsRefusedMeanwhile() async throws {
        let cache = GatedCache()
        let box = Darkbox(FakeLoader(Data("no picture".utf8))) {
            $0.dataCache = cache
            $0.imageCache = nil
        }
        await #expect(throws: ImageError.self) { try await box.load() }
        cache.isGated.store(true, ordering: .relaxed)
        let load = Task { try await box.load() }
        await cache.gate.waitForArrivals()
        let data = Task { try await box.manager.data(Darkbox.url).data }
        await StateChanges.wait { box.manager.joinedCount > 0 }
        cache.gate.open()
        let error = await #expect(throws: ImageError.self) { try await load.value }
        #expect(error?.kind == .refused)
        #expect(try await data.value == Data("no picture".utf8))
    }
}

/// A data cache whose lookups can be made to wait.
private final class GatedCache: DataCacheWrapper {
    let base = FakeDataCache()
    let gate = Gate()
    let isGated = Atomic(false)

    func entry(for key: CacheKey) async throws -> DataEntry? {
        if isGated.load(ordering: .relaxed) { await gate.wait() }
        return try await base.entry(for: key)
    }
}

extension Result {
    fileprivate var value: Success? { if case .success(let value) = self { value } else { nil } }
    fileprivate var failure: Failure? { if case .failure(let failure) = self { failure } else { nil } }
}
