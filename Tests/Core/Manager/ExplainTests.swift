@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct ExplainTests {
    private let small = ImageContext {
        $0.thumbnail = .fit(6, 6)
        $0.waitsForStore = true
    }

    private func steps(_ plan: LoadPlan) -> [String] { plan.steps.map { "\($0.location): \($0.finding)" } }

    @Test func coldLoadWouldCallTheLoader() async {
        let box = Darkbox()
        let plan = await box.manager.explain(Darkbox.url, context: small)
        #expect(
            steps(plan) == [
                "memory: miss", "result on disk: miss", "original on disk: miss", "loader: FakeLoader",
            ])
        #expect(plan.origin == .network && plan.decision == .missing && plan.failure == nil)
        #expect(box.loader.requests.isEmpty, "nothing was loaded")
    }

    @Test func lookupEndsAtTheFirstHit() async throws {
        let box = Darkbox()
        _ = try await box.manager.load(Darkbox.url, context: small)
        #expect(steps(await box.manager.explain(Darkbox.url, context: small)) == ["memory: fresh for ever"])
        let restarted = await box.restarted().explain(Darkbox.url, context: small)
        #expect(steps(restarted) == ["memory: not read", "result on disk: fresh for ever"])
        #expect(restarted.origin == .disk)
        let other = await box.manager.explain(Darkbox.url, context: ImageContext { $0.thumbnail = .fit(3, 3) })
        #expect(other.origin == .original)
    }

    @Test func expiredEntryLeadsToTheLoader() async throws {
        let box = Darkbox(
            FakeLoader { request in
                LoadResponse(
                    .data(Darkbox.file),
                    metadata: ResponseMetadata(url: request.url, status: 200, headers: ["cache-control": "max-age=0"]))
            })
        _ = try await box.load { $0.waitsForStore = true }
        let plan = await box.manager.explain(Darkbox.url)
        #expect(plan.steps.count == 3 && plan.origin == .network)
        guard case .expired = plan.decision else { return #expect(Bool(false), "\(plan.decision)") }
        let offline = await box.manager.explain(Darkbox.url, context: ImageContext { $0.cacheUse = .cacheOnly })
        #expect(offline.origin == .memory)
    }

    @Test func predictedFailureIsReported() async throws {
        let box = Darkbox()
        let offline = await box.manager.explain(Darkbox.url, context: ImageContext { $0.cacheUse = .cacheOnly })
        #expect(offline.failure?.kind == .cacheOnlyMiss && offline.origin == nil)
        let empty = try ImageManager { _ in }
        #expect(await empty.explain(Darkbox.url).failure?.kind == .noLoader)
        let bypassing = await box.manager.explain(Darkbox.url, context: ImageContext { $0.cacheUse = .loaderOnly })
        #expect(bypassing.decision == .bypassed(.loaderOnly))
        #expect("\(bypassing)".hasSuffix("decision: bypassed: loader only\norigin: network"))
    }

    @Test func recentlyFailedURLIsRefused() async {
        let box = Darkbox(FakeLoader(Data("no picture".utf8)))
        _ = try? await box.load()
        #expect(await box.manager.explain(Darkbox.url).failure?.kind == .refused)
    }
}
