@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// The transfers that a plain load and a thumbnail share.
@Suite(.bounded)
struct OriginalFlightTests {
    private static let tiers: [CachePolicy.Tiers] = [.none, .memory, .disk, .all]

    private static let policies: [CachePolicy] = (0..<256).map { number in
        var policy = CachePolicy()
        policy.query = tiers[number & 3]
        policy.store = tiers[number >> 2 & 3]
        policy.originalQuery = tiers[number >> 4 & 3]
        policy.originalStore = tiers[number >> 6 & 3]
        return policy
    }

    private func context(_ policy: CachePolicy, side: Double = 0) -> ImageContext {
        ImageContext {
            $0.cachePolicy = policy
            if side > 0 { $0.thumbnail = .fit(side, side) }
        }
    }

    @Test func loadsShareATransferIfTheyReadAndStoreOriginalsAlike() {
        let manager = Darkbox().manager
        for policy in Self.policies {
            let plain = manager.request(for: Darkbox.url, context: context(policy))
            let small = manager.request(for: Darkbox.url, context: context(policy, side: 6))
            let isReadAlike = policy.originalQuery == policy.query.intersection(.disk)
            let isStoredAlike = policy.originalStore.contains(.disk) || !policy.store.contains(.disk)
            #expect((plain.originalFlight() == small.originalFlight()) == (isReadAlike && isStoredAlike), "\(policy)")
        }
    }

    @Test func plainLoadAndThumbnailWithOnePolicyShareOneTransfer() async throws {
        let (gate, joined) = (Gate(), Recorder<Int>())
        let loader = FakeLoader { _ in
            await gate.wait()
            return LoadResponse(.data(Darkbox.file))
        }
        let box = Darkbox(loader)
        let loads = [0, 6.0, 3].map { side in
            Task {
                try await box.manager.load(Darkbox.url, context: context(.none, side: side)) { event in
                    if case .queued = event { joined.note(1) }
                }
            }
        }
        await joined.waitForValues(3)
        gate.open()
        for load in loads { _ = try await load.value }
        #expect(loader.requests.count == 1)
    }
}
