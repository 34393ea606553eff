@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Loads of several nodes that divide the work by leases.
@Suite(.bounded)
struct LeasedLoadTests {
    @Test func tenNodesFetchAndDecodeOnce() async throws {
        let (gate, leases) = (Gate(), FakeLeases(clock: ManualClock()))
        let origin = FakeOrigin { _ in
            await gate.wait()
            return .fresh(Darkbox.file, for: .seconds(3600))
        }
        let nodes = try Nodes(10, origin, leases: leases)
        let origins = try await withThrowingTaskGroup(of: LoadResult.Origin.self) { group in
            for node in 0..<10 { group.addTask { try await nodes.load(at: node).origin } }
            await leases.waitForRefusals(9)
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(nodes.origin.requests.count == 1)
        #expect(nodes.decodes.values.count >= 1)
        #expect(origins.filter { $0 == .network }.count == 1)
        #expect(origins.filter { $0 == .sharedCache }.count == 9)
        #expect(leases.heldNames.isEmpty)
    }

    @Test func differentSizesAtDifferentNodesFetchOnce() async throws {
        let (gate, leases) = (Gate(), FakeLeases(clock: ManualClock()))
        let origin = FakeOrigin { _ in
            await gate.wait()
            return .fresh(Darkbox.file, for: .seconds(3600))
        }
        let nodes = try Nodes(4, origin, leases: leases)
        try await withThrowingTaskGroup(of: PixelSize.self) { group in
            for node in 0..<4 {
                group.addTask {
                    let side = Double(node + 2)
                    return try await nodes.load(at: node, ImageContext { $0.thumbnail = .stretch(side, side) }).image
                        .size
                }
            }
            // Each has the lease of its result, and all but one wait for the original.
            await leases.waitForRefusals(3)
            gate.open()
            var sizes: Set<PixelSize> = []
            for try await size in group { sizes.insert(size) }
            #expect(sizes == Set((2...5).map { PixelSize($0, $0) }))
        }
        #expect(nodes.origin.requests.count == 1)
    }

    @Test func failureEndsTheWaitOfTheOthers() async throws {
        let (gate, leases) = (Gate(), FakeLeases(clock: ManualClock()))
        let origin = FakeOrigin { _ in
            await gate.wait()
            return .status(404)
        }
        let nodes = try Nodes(3, origin, leases: leases)
        await withTaskGroup(of: Bool.self) { group in
            for node in 0..<3 { group.addTask { (try? await nodes.load(at: node)) == nil } }
            await leases.waitForRefusals(2)
            gate.open()
            for await hasFailed in group { #expect(hasFailed) }
        }
        #expect(leases.heldNames.isEmpty)
        #expect(nodes.origin.requests.count == 3)
    }

    @Test func anotherNodeTakesOverWhenTheHolderIsCancelled() async throws {
        let (gate, leases) = (Gate(), FakeLeases(clock: ManualClock()))
        let origin = FakeOrigin { _ in
            try await gate.waitUnlessCancelled()
            return .fresh(Darkbox.file, for: .seconds(3600))
        }
        let nodes = try Nodes(2, origin, leases: leases)
        let holder = Task { try await nodes.load(at: 0) }
        await gate.waitForArrivals()
        async let other = nodes.load(at: 1)
        await leases.waitForRefusals(1)
        holder.cancel()
        await gate.waitForArrivals(2)
        gate.open()
        #expect(try await other.origin == .network)
    }

    @Test func nodesWorkWithoutAnEngine() async throws {
        let leases = FakeLeases(clock: ManualClock())
        leases.isReachable = false
        let nodes = try Nodes(2, .hourly(), leases: leases)
        #expect(try await nodes.load(at: 0).origin == .network)
        #expect(try await nodes.load(at: 1).origin == .sharedCache)
    }

    @Test func resultThatMustNotBeSharedIsMadeByEachNode() async throws {
        let (gate, leases) = (Gate(), FakeLeases(clock: ManualClock()))
        let origin = FakeOrigin { _ in
            await gate.wait()
            var response = FakeOrigin.Response.fresh(Darkbox.file, for: .seconds(3600))
            response.headers["cache-control"] = "private, max-age=3600"
            return response
        }
        let nodes = try Nodes(3, origin, leases: leases)
        try await withThrowingTaskGroup(of: LoadResult.Origin.self) { group in
            for node in 0..<3 { group.addTask { try await nodes.load(at: node).origin } }
            await leases.waitForRefusals(2)
            gate.open()
            for try await origin in group { #expect(origin == .network) }
        }
        #expect(nodes.origin.requests.count == 3)
    }

    @Test func revalidationInTheBackgroundDoesNotWaitForAnotherNode() async throws {
        let (gate, leases) = (Gate(), FakeLeases(clock: ManualClock()))
        gate.open()
        let origin = FakeOrigin { _ in
            await gate.wait()
            var response = FakeOrigin.Response.fresh(Darkbox.file, for: .seconds(60))
            response.headers["cache-control"] = "max-age=60, stale-while-revalidate=600"
            return response
        }
        let nodes = try Nodes(2, origin, leases: leases)
        _ = try await nodes.load(at: 0)
        _ = try await nodes.load(at: 1)
        nodes.clock.advance(by: .seconds(100))
        // As if another node were at work.
        let budget = TierBudget(.seconds(1))
        let name = WorkName(.result, of: CacheKey(source: Nodes.url.absoluteString, Nodes.small.variant))
        guard case .granted(let lease) = await leases.lease(for: name, budget: budget) else {
            Issue.record("the lease is held")
            return
        }
        #expect(try await nodes.load(at: 0).isStale)
        #expect(nodes.origin.requests.count == 1)
        await lease.end(.shared)
        #expect(try await nodes.load(at: 0).isStale)
        #expect(nodes.origin.requests.count == 2)
        #expect(try await nodes.load(at: 1).origin != .network)
    }

    @Test func waitIsPartOfTheReport() async throws {
        let nodes = try Nodes(1, .hourly(), leases: FakeLeases(clock: ManualClock()))
        #expect(try await nodes.load(at: 0).report.duration(of: .lease) != nil)
    }
}
