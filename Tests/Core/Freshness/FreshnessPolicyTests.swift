@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct FreshnessPolicyTests {
    private let minute: @Sendable (inout ImageContext) -> Void = { $0.freshnessPolicy = .lifetime(.seconds(60)) }
    private let immutable: @Sendable (inout ImageContext) -> Void = { $0.freshnessPolicy = .immutable }

    private func origin(_ cacheControl: String, defaults: ImageContext = .init()) -> Origin {
        Origin(Origin.picture(cacheControl), defaults: defaults)
    }

    @Test(arguments: ["no-cache", "max-age=0, must-revalidate", "max-age=9999"])
    func fixedLifetimeOverridesTheOrigin(cacheControl: String) async throws {
        let origin = origin(cacheControl)
        _ = try await origin.load(minute)
        origin.clock.advance(by: .seconds(59))
        #expect(try await origin.load(minute).origin == .memory)
        #expect(origin.requests.count == 1)
        origin.clock.advance(by: .seconds(1))
        _ = try await origin.load(minute)
        #expect(origin.requests.count == 2)
        origin.clock.advance(by: .seconds(59))
        await origin.manager.waitForStores()
        #expect(try await origin.restarted().load(Darkbox.url, context: ImageContext(minute)).origin == .disk)
        #expect(origin.requests.count == 2)
    }

    @Test(
        arguments: [
            ("max-age=600, s-maxage=60", 60), ("max-age=60, s-maxage=600", 600), ("s-maxage=60, max-age=600", 60),
            ("max-age=60", 60), ("s-maxage=0, max-age=60", 0),
        ])
    func responseForSeveralUsersIsFreshForItsSharedLifetime(control: String, lifetime: Double) async throws {
        let origin = origin(control, defaults: ImageContext { $0.servesSeveralUsers = true })
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(max(0, lifetime - 1)))
        _ = try await origin.load()
        #expect(origin.requests.count == (lifetime > 0 ? 1 : 2))
        origin.clock.advance(by: .seconds(1))
        _ = try await origin.load()
        #expect(origin.requests.count == (lifetime > 0 ? 2 : 3))
    }

    @Test(arguments: [("", true), (", proxy-revalidate", false), (", s-maxage=60", false)])
    func staleResponseIsForSeveralUsersOnlyIfNothingForbidsIt(addition: String, isUsed: Bool) async throws {
        let control = "max-age=60, stale-while-revalidate=600" + addition
        for servesSeveralUsers in [false, true] {
            let origin = origin(control, defaults: ImageContext { $0.servesSeveralUsers = servesSeveralUsers })
            _ = try await origin.load()
            origin.clock.advance(by: .seconds(61))
            #expect(try await origin.load().isStale == (isUsed || !servesSeveralUsers))
            await origin.manager.waitForStores()
        }
    }

    @Test func policyAppliesToExistingEntries() async throws {
        let origin = origin("max-age=600")
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(599))
        #expect(try await origin.load().origin == .memory)
        _ = try await origin.load(minute)
        #expect(origin.requests.count == 2)
        origin.clock.advance(by: .seconds(1e9))
        await origin.manager.waitForStores()
        for manager in [origin.manager, origin.restarted()] {
            let kept = try await manager.load(Darkbox.url, context: ImageContext(immutable))
            #expect(kept.origin == (manager === origin.manager ? .memory : .disk))
        }
        #expect(origin.requests.count == 2)
    }

    @Test func immutableImageIsNotRevalidated() async throws {
        let origin = origin("no-cache")
        _ = try await origin.load(immutable)
        _ = try await origin.load {
            $0.freshnessPolicy = .immutable
            $0.cacheUse = .refresh
        }
        #expect(origin.requests.count == 1)
        _ = try await origin.load {
            $0.freshnessPolicy = .immutable
            $0.cacheUse = .loaderOnly
        }
        #expect(origin.requests.count == 2)
    }

    @Test func immutableResponseIsNotRevalidatedWhileFresh() async throws {
        let origin = origin("max-age=60, immutable")
        _ = try await origin.load()
        _ = try await origin.load { $0.cacheUse = .refresh }
        #expect(origin.requests.count == 1)
        origin.clock.advance(by: .seconds(60))
        _ = try await origin.load { $0.cacheUse = .refresh }
        #expect(origin.requests.count == 2)
    }

    @Test func unstorableResponseIsStoredOnlyOnRequest() async throws {
        for policy in [FreshnessPolicy.server, .immutable, .lifetime(.seconds(60))] {
            let origin = origin("no-store")
            _ = try await origin.load { $0.freshnessPolicy = policy }
            #expect(origin.box.images.keys.isEmpty && origin.box.data.keys.isEmpty)
        }
        let origin = origin("no-store")
        let asked = FreshnessPolicy.lifetime(.seconds(60), ignoresNoStore: true)
        for _ in 0..<2 { _ = try await origin.load { $0.freshnessPolicy = asked } }
        #expect(origin.requests.count == 1)
        #expect(!origin.box.data.keys.isEmpty)
    }

    @Test func managerHasADefaultPolicy() async throws {
        let origin = origin("no-cache", defaults: ImageContext(minute))
        for _ in 0..<2 { _ = try await origin.load() }
        #expect(origin.requests.count == 1)
        _ = try await origin.load { $0.freshnessPolicy = .server }
        #expect(origin.requests.count == 2)
    }

    @Test(arguments: [.lifetime(.seconds(0)), .lifetime(.seconds(-1))] as [FreshnessPolicy])
    func zeroLifetimeIsStale(policy: FreshnessPolicy) async throws {
        let origin = origin("max-age=60")
        for count in 1...2 {
            _ = try await origin.load { $0.freshnessPolicy = policy }
            #expect(origin.requests.count == count)
        }
    }

    @Test func infiniteLifetimeNeverExpires() async throws {
        let origin = origin("max-age=0")
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(1e9))
        _ = try await origin.load { $0.freshnessPolicy = .lifetime(.seconds(Int64.max)) }
        #expect(origin.requests.count == 1)
    }

    @Test func policiesSeparateRunsButNotKeys() {
        let context = ImageContext {
            $0.freshnessPolicy = .immutable
            $0.heuristicLifetimeLimit = .seconds(5)
        }
        #expect(context.variant.parts.isEmpty)
        #expect(context.flightFragments == ["FreshnessPolicy(immutable)", "HeuristicLifetimeLimit(5.0 seconds)"])
        let standard = ImageContext {
            $0.freshnessPolicy = .server
            $0.heuristicLifetimeLimit = .seconds(86_400)
        }
        #expect(standard.flightFragments.isEmpty)
    }

    @Test func requestLimitsTheHeuristicLifetime() async throws {
        let headers = ["last-modified": "Sun, 06 Nov 1904 08:49:37 GMT"]
        let origin = Origin(Origin.picture("public", .data(Darkbox.file), headers))
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(86_400))
        _ = try await origin.load { $0.heuristicLifetimeLimit = .seconds(86_401) }
        #expect(origin.requests.count == 1)
        _ = try await origin.load()
        #expect(origin.requests.count == 2)
    }

    @Test func localSourcesAreUnaffected() async throws {
        let box = Darkbox(FakeLoader(Darkbox.file, version: "1"))
        _ = try await box.load { $0.freshnessPolicy = .immutable }
        #expect(try await box.load { $0.freshnessPolicy = .lifetime(.seconds(0)) }.origin == .memory)
        box.loader.setVersion("2")
        #expect(try await box.load { $0.freshnessPolicy = .immutable }.origin == .local)
    }

    @Test func clockSetBackMakesEntriesStale() async throws {
        let origin = origin("max-age=60")
        _ = try await origin.load()
        origin.clock.advance(by: .seconds(-3600))
        _ = try await origin.load()
        #expect(origin.requests.count == 2)
    }

    @Test func ageIsCountedFromTheResponseHead() async throws {
        let clock = ManualClock()
        let loader = FakeLoader { request in
            clock.advance(by: .seconds(1000))
            request.report(.started)
            clock.advance(by: .seconds(5))
            request.report(.responded)
            var response = Origin.response("max-age=60")
            response.body = .chunks(
                AsyncThrowingStream(unfolding: { [isOver = Recorder<Bool>()] in
                    guard isOver.values.isEmpty else { return nil }
                    isOver.note(true)
                    clock.advance(by: .seconds(20))
                    return Darkbox.file
                }))
            return response
        }
        let box = Darkbox(loader) { $0.now = { clock.date } }
        _ = try await box.load()
        clock.advance(by: .seconds(34))
        #expect(try await box.load().origin == .memory)
        #expect(loader.requests.count == 1)
        clock.advance(by: .seconds(1))
        _ = try await box.load()
        #expect(loader.requests.count == 2)
    }
}
