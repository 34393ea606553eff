import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// What a call costs does not depend on how much there is.
@Suite struct ConstantTimeTests {
    @Test func storesAndHitsMakeAsManyCallsInAFullCacheAsInAnEmptyOne() async throws {
        let empty = try await calls(with: 0)
        let full = try await calls(with: 500)
        #expect(empty == full)
        #expect(!full.contains(.list))
    }

    /// The calls of a store, a hit, a miss and a removal in a cache of so many entries.
    private func calls(with count: Int) async throws -> [FileCall] {
        let folder = try TemporaryDirectory()
        let calls = Recorder<FileCall>()
        let faults = FileFaults { call, byteCount in
            calls.note(call)
            return byteCount
        }
        let cache = try folder.cache(scanInterval: .seconds(1 << 40), faults: faults)
        await cache.waitForOpeningScan()
        for index in 0..<count { try cache.store.store(DataEntry(Data([1])), for: CacheKey(source: "\(index)")) }
        try cache.store.store(DataEntry(Data([1])), for: "picture")
        let callCount = calls.values.count
        try cache.store.store(DataEntry(Data([2])), for: "picture")
        #expect(try cache.store.entry(for: "picture") != nil)
        #expect(try cache.store.entry(for: "no picture") == nil)
        try cache.store.remove("picture")
        return Array(calls.values.dropFirst(callCount))
    }
}
