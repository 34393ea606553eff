@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A lookup in memory without a request, which a manager without observers begins with, decides as one with a request.
@Suite(.bounded)
final class MemoryLookupTests: Sendable {
    private final class Observer: LoadObserver {
        func loadEnded(_ record: LoadRecord) {}
    }

    /// The values that change between loads. Managers hold them, and not the test, which holds loaded images.
    private final class Surroundings: Sendable {
        let date = Mutex(ManualClock().date)
        let language = Mutex("en")
    }

    private let origin = FakeLoader { _ in throw ImageError(.status, .load, "the origin returned status 404") }
    private let surroundings = Surroundings()
    private let images = FakeImageCache()

    @Test(arguments: 0..<30) func lookupWithoutARequestAgreesWithOneWithARequest(seed: Int) async throws {
        var random = SeededGenerator(seed: seed)
        let (fast, slow) = (try manager(), try manager(observed: true))
        var outcomes: [String: Int] = [:]
        for _ in 0..<200 {
            let (context, version) = (context(&random), version(&random))
            let key = try #require(fast.key(for: Darkbox.url, context: context))
            var image = Image(info: ImageInfo(format: .plain, storedSize: Darkbox.bitmap.size), bitmap: Darkbox.bitmap)
            image.metadata.original = version
            images.store(image, for: key)
            surroundings.language.withLock { $0 = Self.languages.randomElement(using: &random)! }
            origin.setVersion([nil, "1", "2"].randomElement(using: &random)!)
            let (one, other) = (await outcome(of: context, fast), await outcome(of: context, slow))
            #expect(one == other, "\(context) \(version.map { "\($0)" } ?? "no version")")
            outcomes[one, default: 0] += 1
            images.removeAll()
        }
        #expect(outcomes.count > 3, "there are hits and misses of several kinds")
    }

    /// Returns the decision or the kind of error.
    private func outcome(of context: ImageContext, _ manager: ImageManager) async -> String {
        let outcome: String
        do {
            let result = try await manager.load(Darkbox.url, context: context)
            outcome = "\(result.origin): \(result.report.decision)\(result.isStale ? ", stale" : "")"
        } catch {
            outcome = "\(error.kind)"
        }
        await manager.waitForStores()
        return outcome
    }

    private func manager(observed: Bool = false) throws -> ImageManager {
        try ImageManager { [origin, images, surroundings] in
            $0.install(
                OriginLoader(
                    base: origin, fields: { _ in ["accept-language": surroundings.language.withLock { $0 }] }))
            $0.install(PlainCoder())
            $0.imageCache = images
            $0.dataCache = nil
            $0.failedURLLifetime = nil
            $0.now = { surroundings.date.withLock { $0 } }
            if observed { $0.observers = [Observer()] }
        }
    }

    private static let languages = ["en", "de", ""]
    /// Seconds before and after the date of the manager. The clock may have been set back by a minute.
    private static let distances = [-100_000.0, -3600, -61, -60, -10, -1, 0, 1, 10, 59, 60, 61, 3600, 100_000]
    private static let durations = [Duration.zero, .seconds(1), .seconds(10), .seconds(61), .seconds(100_000)]

    private func context(_ random: inout SeededGenerator) -> ImageContext {
        ImageContext {
            if Bool.random(using: &random) { $0.thumbnail = .fit(6, 6) }
            // Most contexts leave most options as they are.
            func isChanged() -> Bool { Int.random(in: 0..<4, using: &random) == 0 }
            func duration() -> Duration { Self.durations.randomElement(using: &random)! }
            if isChanged() {
                $0.cacheUse = [.standard, .refresh, .cacheOnly, .loaderOnly].randomElement(using: &random)!
            }
            if isChanged() {
                $0.freshnessPolicy = [.server, .immutable, .lifetime(duration()), .lifetime(.seconds(-1))]
                    .randomElement(using: &random)!
            }
            if isChanged() { $0.defaultLifetime = duration() }
            if isChanged() { $0.defaultStaleWhileRevalidate = duration() }
            if isChanged() { $0.heuristicLifetimeLimit = duration() }
            if isChanged() { $0.localCheckInterval = duration() }
            if isChanged() { $0.priority = .high }
            if isChanged() { $0.cachePolicy.query = [.all, .memory, .disk, .none].randomElement(using: &random)! }
        }
    }

    private func version(_ random: inout SeededGenerator) -> OriginalVersion? {
        let now = surroundings.date.withLock { $0 }
        func isSo() -> Bool { Int.random(in: 0..<3, using: &random) == 0 }
        func someDate() -> Date { now + Self.distances.randomElement(using: &random)! }
        guard Int.random(in: 0..<12, using: &random) > 0 else { return nil }
        var version = OriginalVersion(revision: "1", isLocal: Int.random(in: 0..<8, using: &random) == 0)
        if !isSo() {
            var freshness = Freshness(confirmedAt: someDate())
            if !isSo() { freshness.expires = isSo() ? .distantPast : someDate() }
            freshness.isHeuristic = isSo()
            if isSo() { freshness.redirectsExpire = isSo() ? .distantPast : someDate() }
            freshness.mustRevalidate = isSo()
            freshness.isImmutable = isSo()
            freshness.staleWhileRevalidate = Self.durations.randomElement(using: &random)!
            version.freshness = freshness
        }
        if Int.random(in: 0..<6, using: &random) == 0 {
            version.varied = VariedFields(
                ["accept-language": Self.languages.randomElement(using: &random)!], isWildcard: isSo())
        }
        if Int.random(in: 0..<6, using: &random) == 0 {
            version.route = SourceRoute([.init(url: Darkbox.url, credentials: isSo() ? ["cookie"] : [])])
        }
        return version
    }
}
