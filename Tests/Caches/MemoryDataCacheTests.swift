@testable import DarkroomCaches
import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite(.bounded)
struct MemoryDataCacheTests {
    private static func key(_ number: Int) -> CacheKey {
        CacheKey(source: "http://example.com/\(number / 4)", variant: number % 4 == 0 ? [] : ["V(\(number % 4))"])
    }

    private static func entry(_ byteCount: Int, revision: String = "1") -> DataEntry {
        var metadata = DataEntry.Metadata(storedAt: Date(timeIntervalSinceReferenceDate: 0))
        metadata.original = OriginalVersion(revision: revision)
        return DataEntry(Data(repeating: 7, count: byteCount), metadata: metadata)
    }

    @Test func itFulfilsTheContract() async throws {
        try await DataCacheContract(persists: false) { _ in MemoryDataCache() }.checkAll()
    }

    @Test func tiersWithItFulfilTheContract() async throws {
        let contract = DataCacheContract {
            TieredDataCache([MemoryDataCache(), try DiskDataCache(directory: $0)], policies: .inclusive)
        }
        try await contract.checkStoring()
        try await contract.checkUpdating()
        try await contract.checkRemoving()
        try await contract.checkConcurrency()
    }

    @Test func entriesInUseAreNotEvicted() async throws {
        let cache = MemoryDataCache(byteLimit: 20_000)
        try await cache.store(Self.entry(1000), for: Self.key(0))
        for number in 1...100 {
            try await cache.store(Self.entry(1000), for: Self.key(number))
            #expect(cache.entryInMemory(for: Self.key(0)) != nil)
            #expect(cache.byteCount <= 20_000)
        }
        #expect(cache.count > 5 && cache.count < 20)
        #expect(cache.entryInMemory(for: Self.key(1)) == nil)
        try await cache.store(Self.entry(6000), for: Self.key(200))
        #expect(cache.entryInMemory(for: Self.key(200)) == nil, "more than a quarter of the limit")
    }

    /// Random operations, after each of which the counts and the index of sources must be right.
    @Test(arguments: 0..<8)
    func countsHoldAfterAnyOperation(seed: UInt64) async throws {
        var random = SeededGenerator(seed: seed)
        let cache = MemoryDataCache(byteLimit: 30_000)
        for _ in 0..<2000 {
            let key = Self.key(.random(in: 0..<60, using: &random))
            let entry = Self.entry(.random(in: 0..<9000, using: &random), revision: random.next() % 2 == 0 ? "1" : "2")
            switch random.next() % 8 {
            case 0, 1, 2: try await cache.store(entry, for: key)
            case 3: try await cache.update(entry.metadata, for: key)
            case 4: try await cache.remove(key)
            case 5: try await cache.removeAll(ofSource: key.source)
            default: _ = cache.entryInMemory(for: key)
            }
            var found = 0
            for number in 0..<60 {
                let peeked = try await cache.peek(at: Self.key(number))
                #expect(try await cache.contains(Self.key(number)) == (peeked != nil))
                found += peeked == nil ? 0 : 1
            }
            #expect(cache.count == found && cache.byteCount <= 30_000)
            #expect((cache.byteCount == 0) == (found == 0))
        }
        for number in 0..<15 { try await cache.removeAll(ofSource: "http://example.com/\(number)") }
        #expect(cache.count == 0 && cache.byteCount == 0)
    }

    @Test func memoryPressureReleasesEntries() async throws {
        let cache = MemoryDataCache(byteLimit: 1 << 20)
        for number in 0..<100 { try await cache.store(Self.entry(1000), for: Self.key(number)) }
        let byteCount = cache.byteCount
        cache.respond(to: .normal)
        #expect(cache.byteCount == byteCount)
        cache.respond(to: .warning)
        #expect(cache.byteCount <= byteCount / 2 && cache.count > 40)
        cache.respond(to: .critical)
        #expect(cache.count == 0 && cache.byteCount == 0)
    }

    /// Every part of the metadata that a response or a decoder determines counts towards the limit.
    @Test(.bug(id: "15.2"))
    func metadataCountsTowardsTheLimit() async throws {
        let text = String(repeating: "a", count: 10_000)
        let url = try #require(URL(string: "http://example.com/\(text)"))
        let size = PixelSize(1, 1)
        let changes: [(inout DataEntry.Metadata) -> Void] = [
            { $0.extendedData = Data(text.utf8) },
            { $0.response = ResponseMetadata(url: url, status: 200) },
            { $0.response = ResponseMetadata(url: URL(filePath: "/"), status: 200, headers: ["etag": text]) },
            { $0.original = OriginalVersion(revision: text) },
            { $0.original = OriginalVersion(revision: "1", varied: VariedFields(["accept": text])) },
            { $0.original?.route = SourceRoute([.init(url: url)]) },
            { $0.file = EncodedFile(format: .png, size: size, digest: "", notes: [text]) },
            { $0.info?.iccProfile = Data(text.utf8) },
        ]
        for change in changes {
            let cache = MemoryDataCache(byteLimit: 1 << 20)
            var entry = Self.entry(10)
            entry.metadata.info = ImageInfo(format: .png, storedSize: size)
            try await cache.store(entry, for: "a")
            let byteCount = cache.byteCount
            change(&entry.metadata)
            try await cache.store(entry, for: "a")
            #expect(cache.byteCount > byteCount + 9900)
        }
    }

    @Test func onlyTheFirstTierIsReadWithoutWaiting() async throws {
        let (upper, lower) = (MemoryDataCache(), MemoryDataCache())
        let tiers = TieredDataCache([upper, lower], policies: .inclusive)
        try await lower.store(Self.entry(10), for: Self.key(1))
        #expect(tiers.entryInMemory(for: Self.key(1)) == nil)
        #expect(try await tiers.entry(for: Self.key(1)) != nil)
        #expect(tiers.entryInMemory(for: Self.key(1)) != nil, "the hit was copied up")
        tiers.respond(to: .critical)
        #expect(upper.count == 0 && lower.count == 0)
    }

    @Test func recentValuesAreNotEvicted() {
        let cache = RecentCache<Int, String>(costLimit: 1000)
        cache.store("first", for: 0, cost: 100)
        for number in 1...30 {
            cache.store("\(number)", for: number, cost: 100)
            #expect(cache.value(for: 0) == "first")
            #expect(cache.cost <= 1000)
        }
        #expect(cache.count == 10)
        #expect(cache.value(for: 1) == nil)
        cache.store("large", for: 99, cost: 600)
        #expect(cache.value(for: 99) == nil)
        cache.remove(0)
        #expect(cache.value(for: 0) == nil && cache.cost == 900)
    }
}
