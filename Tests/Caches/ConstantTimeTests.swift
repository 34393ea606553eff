import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// The cost of an operation does not depend on the number of entries.
@Suite struct ConstantTimeTests {
    @Test func systemCallsPerOperationDoNotGrowWithTheCache() async throws {
        let empty = try await calls(with: 0)
        let full = try await calls(with: 500)
        #expect(empty == full)
        #expect(!full.contains(.list))
    }

    /// Returns the system calls of a store, a hit, a miss and a removal in a cache with `count` entries.
    private func calls(with count: Int) async throws -> [FileOperation] {
        let folder = try TemporaryDirectory()
        let calls = Recorder<FileOperation>()
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
