@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Encoded results have the freshness of their image, by the same verdict.
@Suite(.bounded)
struct EncodedFreshnessTests {
    private static let url = Darkbox.url
    // Computed each time: the leak sanitizer reports a `Data` in a static property.
    private static var newFile: Data { PlainCoder.file(of: Bitmap(12, 8) { _, _ in .white }) }

    private static func context(_ configure: (inout ImageContext) -> Void = { _ in }) -> ImageContext {
        ImageContext {
            $0.thumbnail = .fit(6, 6)
            $0.waitsForStore = true
            configure(&$0)
        }
    }

    /// An origin with these responses, and a first result that expired a second ago.
    private static func expired(
        _ cacheControl: String, then last: Origin.Response?
    ) async throws -> (Origin, EncodedResult) {
        let origin = Origin(Origin.picture(cacheControl), then: last)
        let first = try await origin.manager.encoded(Self.url, context: Self.context())
        origin.box.images.removeAll()
        origin.clock.advance(by: .seconds(11))
        return (origin, first)
    }

    @Test(arguments: [LoadResponse.Body.notModified, .data(Darkbox.file)])
    func confirmedFileIsFreshAgainWithoutEncoding(body: LoadResponse.Body) async throws {
        let (origin, first) = try await Self.expired("max-age=10", then: Origin.picture("max-age=10", body))
        let second = try await origin.manager.encoded(Self.url, context: Self.context())
        #expect(second.isCached && second.data == first.data)
        let isNotModified = if case .notModified = body { true } else { false }
        #expect(second.report.decision == (isNotModified ? .revalidated : .unchanged))
        #expect(second.report.duration(of: .encode) == nil)
        #expect(second.freshness?.timeLeft == .seconds(10))
        let third = try await origin.restarted().encoded(Self.url, context: Self.context())
        #expect(third.isCached && third.report.decision == .fresh(for: .seconds(10)) && origin.requests.count == 2)
    }

    @Test func changedBytesAreEncodedAgain() async throws {
        let (origin, first) = try await Self.expired(
            "max-age=10", then: Origin.picture("max-age=10", .data(Self.newFile)))
        let second = try await origin.manager.encoded(Self.url, context: Self.context())
        #expect(!second.isCached && second.data != first.data && second.file.digest != first.file.digest)
        #expect(second.report.decision == .changed)
    }

    @Test func staleFileIsReturnedDuringRevalidation() async throws {
        let (origin, first) = try await Self.expired(
            "max-age=10, stale-while-revalidate=60", then: Origin.picture("max-age=10", .data(Self.newFile)))
        let stale = try await origin.manager.encoded(Self.url, context: Self.context())
        #expect(stale.isStale && stale.data == first.data)
        #expect(stale.report.decision == .staleWhileRevalidating(by: .seconds(1)))
        #expect(stale.freshness?.timeLeft == .seconds(-1) && stale.freshness?.staleWhileRevalidate == .seconds(60))
        await origin.manager.waitForStores()
        let fresh = try await origin.manager.encoded(Self.url, context: Self.context())
        #expect(fresh.isCached && !fresh.isStale && fresh.data != first.data)
    }

    @Test(arguments: [(Origin.unreachable, true), (Origin.failure(500), false), (Origin.failure(404), false)])
    func staleFileReplacesAnUnreachableOrigin(failure: @escaping Origin.Response, isServed: Bool) async throws {
        let (origin, first) = try await Self.expired("max-age=10", then: failure)
        try await origin.box.data.remove(try #require(first.key).original)
        let second = try? await origin.manager.encoded(Self.url, context: Self.context())
        #expect(second?.data == (isServed ? first.data : nil))
        #expect(second?.isStale == (isServed ? true : nil))
        if isServed { #expect(second?.report.decision == .staleOnError(.network)) }
    }

    @Test func responseWithoutALifetimeHasTheDefaultOfTheContext() async throws {
        let origin = Origin({ _ in
            LoadResponse(.data(Darkbox.file), metadata: ResponseMetadata(url: Self.url, status: 200))
        })
        let context = Self.context {
            $0.defaultLifetime = .seconds(100)
            $0.defaultStaleWhileRevalidate = .seconds(50)
        }
        let first = try await origin.manager.encoded(Self.url, context: context)
        #expect(first.freshness?.timeLeft == .seconds(100) && first.freshness?.staleWhileRevalidate == .seconds(50))
        origin.clock.advance(by: .seconds(101))
        let stale = try await origin.manager.encoded(Self.url, context: context)
        #expect(stale.report.decision == .staleWhileRevalidating(by: .seconds(1)))
        await origin.manager.waitForStores()
        origin.clock.advance(by: .seconds(151))
        #expect(try await !origin.manager.encoded(Self.url, context: context).isStale)
        #expect(try await origin.manager.encoded(Self.url, context: Self.context()).freshness?.timeLeft == nil)
    }

    /// The date of the last change is no lifetime: what the app says counts more than a guess.
    @Test func responseWithOnlyADateOfChangeHasTheDefaultOfTheContext() async throws {
        let headers = ["last-modified": "Sun, 06 Nov 1994 08:49:37 GMT"]
        let origin = Origin(Origin.picture("public", .data(Darkbox.file), headers))
        let context = Self.context {
            $0.defaultLifetime = .seconds(100)
            $0.defaultStaleWhileRevalidate = .seconds(50)
        }
        let first = try await origin.manager.encoded(Self.url, context: context)
        #expect(first.freshness?.timeLeft == .seconds(100) && first.freshness?.staleWhileRevalidate == .seconds(50))
        origin.clock.advance(by: .seconds(101))
        let stale = try await origin.manager.encoded(Self.url, context: context)
        #expect(stale.report.decision == .staleWhileRevalidating(by: .seconds(1)))
        await origin.manager.waitForStores()
        let guessed = try await origin.manager.encoded(Self.url, context: Self.context())
        #expect((guessed.freshness?.timeLeft ?? .seconds(100)) < .seconds(100), "it is guessed without a default")
    }

    @Test func storedFileIsNoWork() async throws {
        let origin = Origin(Origin.picture("max-age=10"))
        let request = origin.manager.prepare(Self.url, context: Self.context())
        #expect(await !origin.manager.hasStoredFile(for: request))
        _ = try await origin.manager.encoded(request)
        await origin.manager.waitForStores()
        #expect(await origin.manager.hasStoredFile(for: request))
        origin.clock.advance(by: .seconds(11))
        #expect(await !origin.manager.hasStoredFile(for: request), "the origin server is asked first")
    }

    @Test func fileInMemoryIsReturnedSynchronously() async throws {
        let origin = Origin(Origin.picture("max-age=10, stale-while-revalidate=60"))
        let memory = InstantDataCache()
        let manager = origin.box.restarted { [clock = origin.clock] in
            $0.now = { clock.date }
            $0.dataCache = memory
        }
        #expect(manager.encodedInMemory(for: Self.url, context: Self.context()) == nil)
        let made = try await manager.encoded(Self.url, context: Self.context())
        let hit = try #require(manager.encodedInMemory(for: Self.url, context: Self.context()))
        #expect(hit.data == made.data && hit.origin == .memory && hit.report.decision == .fresh(for: .seconds(10)))
        origin.clock.advance(by: .seconds(11))
        #expect(manager.encodedInMemory(for: Self.url, context: Self.context())?.isStale == true)
        await manager.waitForStores()
        #expect(origin.requests.count == 2, "it was revalidated in the background")
        origin.clock.advance(by: .seconds(80))
        #expect(manager.encodedInMemory(for: Self.url, context: Self.context()) == nil)
    }

    /// `explainEncoded` and `encoded` must agree for every use of the caches, freshness, and state of the caches.
    @Test(arguments: [
        "max-age=100", "max-age=10, stale-while-revalidate=100", "max-age=10, must-revalidate", "no-cache",
        "max-age=100, immutable",
    ])
    func explainPredictsTheEncodedLoad(cacheControl: String) async throws {
        for use in [CacheUse.standard, .cacheOnly, .refresh, .loaderOnly] {
            for (hasFile, hasOriginal) in [(true, true), (true, false), (false, true), (false, false)] {
                for age in [0.0, 50, 1000] {
                    let context = Self.context { $0.cacheUse = use }
                    let origin = Origin(Origin.picture(cacheControl))
                    let key = try #require(try await origin.manager.encoded(Self.url, context: Self.context()).key)
                    origin.box.images.removeAll()
                    if !hasFile { try await origin.box.data.remove(key) }
                    if !hasOriginal { try await origin.box.data.remove(key.original) }
                    origin.clock.advance(by: .seconds(age))
                    let plan = await origin.manager.explainEncoded(Self.url, context: context)
                    #expect(origin.requests.count == 1)
                    let result = try? await origin.manager.encoded(Self.url, context: context)
                    await origin.manager.waitForStores()
                    let row = "\(cacheControl) \(use) file \(hasFile) original \(hasOriginal) age \(age): \(plan)"
                    #expect((result == nil) == (plan.origin == nil), "\(row)")
                    switch plan.origin {
                    case .disk:
                        #expect(result?.isCached == true && result?.report.decision == plan.decision, "\(row)")
                    case .original: #expect(result?.isCached == false && result?.origin == .original, "\(row)")
                    default: #expect(result.map { _ in origin.requests.count } ?? 2 == 2, "\(row)")
                    }
                }
            }
        }
    }
}
