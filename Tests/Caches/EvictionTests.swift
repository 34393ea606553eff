import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

@Suite struct EvictionTests {
    private let folder: TemporaryDirectory

    init() throws { folder = try TemporaryDirectory() }

    /// The size of the files of these tests, whose keys have two characters.
    private static let byteCount: Int = {
        let record = EntryRecord(key: "00", metadata: .init())
        return 100 + EntryFile.trailer(after: Data(), record).count
    }()

    private func store(_ keys: [CacheKey], in cache: DiskDataCache) throws {
        for key in keys { try cache.store.store(DataEntry(Data(count: 100)), for: key) }
    }

    private func keys(_ range: Range<Int>) -> [CacheKey] { range.map { CacheKey(source: "\($0)") } }

    @Test func leastRecentlyUsedEntryIsEvicted() async throws {
        let cache = try folder.cache(byteLimit: 3 * Self.byteCount)
        try store(["aa", "bb", "cc"], in: cache)
        _ = try await cache.entry(for: "aa")
        try store(["dd"], in: cache)
        #expect(try ["aa", "bb", "cc", "dd"].map { try cache.store.contains($0) } == [true, false, true, true])
    }

    @Test func limitIsEnforcedAfterEveryStore() throws {
        let cache = try folder.cache(byteLimit: 10 * Self.byteCount)
        for key in keys(10..<99) {
            try store([key], in: cache)
            #expect(try folder.byteCount() <= cache.byteLimit)
        }
        #expect(try cache.store.directory.total() == .init(byteCount: folder.byteCount(), count: 10))
    }

    /// Compares with a model: a list of keys, the newest last.
    @Test(arguments: 0..<10) func evictionOrderIsExactForFewEntries(_ seed: Int) throws {
        var random = SeededGenerator(seed: seed)
        let cache = try folder.cache(byteLimit: 10 * Self.byteCount)
        var model: [CacheKey] = []
        for _ in 0..<150 {
            let key = CacheKey(source: "\(Int.random(in: 10..<30, using: &random))")
            if Bool.random(using: &random) {
                try store([key], in: cache)
                model.removeAll { $0 == key }
                model = (model + [key]).suffix(10)
            } else {
                #expect(try (cache.store.entry(for: key) != nil) == model.contains(key))
                if let index = model.firstIndex(of: key) { model.append(model.remove(at: index)) }
            }
            #expect(try cache.store.directory.total().count == model.count)
        }
    }

    @Test func evictionPrefersOldEntriesAmongMany() throws {
        let cache = try folder.cache(byteLimit: 2000 * Self.byteCount)
        let keys = (0..<2500).map { CacheKey(source: "\($0)") }
        try store(keys, in: cache)
        #expect(try folder.byteCount() <= cache.byteLimit)
        // The 500 evicted entries are in the oldest quarter of each sample of a thousand.
        #expect(try keys.suffix(1000).allSatisfy { try cache.store.contains($0) })
    }

    @Test func oversizedEntryIsNotStoredAndRemovesTheOldOne() async throws {
        let cache = try folder.cache(byteLimit: 3 * Self.byteCount)
        try store(["aa", "bb"], in: cache)
        try await cache.store(DataEntry(Data(count: 1000)), for: "aa")
        #expect(try await !cache.contains("aa"))
        #expect(try await cache.contains("bb"))
    }

    @Test func largeEntryEvictsAllOthers() async throws {
        let cache = try folder.cache(byteLimit: 3 * Self.byteCount)
        try store(["aa", "bb", "cc"], in: cache)
        try await cache.store(DataEntry(Data(count: 100 + 2 * Self.byteCount)), for: "dd")
        #expect(try cache.store.directory.total() == .init(byteCount: 3 * Self.byteCount, count: 1))
        #expect(try await cache.contains("dd"))
    }

    @Test func lowerLimitTakesEffectAtOnce() async throws {
        let cache = try folder.cache()
        try store(keys(10..<20), in: cache)
        try await cache.setByteLimit(4 * Self.byteCount)
        #expect(try keys(10..<20).filter { try cache.store.contains($0) } == keys(16..<20))
        try await cache.setByteLimit(0)
        try store(["aa"], in: cache)
        #expect(try cache.store.directory.total() == .none)
    }

    /// Lowers the limit without enforcing it, as another process of the folder with a higher limit would exceed it.
    private func lowerLimit(of cache: DiskDataCache, toEntries count: Int) {
        cache.store.changeLimits { $0.byteCount = count * Self.byteCount }
    }

    @Test func trimmingEvictsNothingWithinTheLimit() async throws {
        let cache = try folder.cache(byteLimit: 10 * Self.byteCount)
        try store(keys(10..<20), in: cache)
        try await cache.trim()
        #expect(try cache.store.directory.total().count == 10)
        #expect(try await cache.stats().evictionCount == 0)
    }

    @Test func expiredEntriesDoNotCountTowardsTheLimitOfTrimming() async throws {
        let cache = try folder.cache(byteLimit: 10 * Self.byteCount)
        try store(keys(10..<20), in: cache)
        for key in keys(10..<12) { try folder.age(key, bySeconds: 8 * 24 * 3600) }
        lowerLimit(of: cache, toEntries: 8)
        try await cache.trim()
        #expect(try keys(10..<20).filter { try cache.store.contains($0) } == keys(12..<20))
        #expect(try folder.files().count == 8)
    }

    @Test func trimmingEvictsTheOldestUntilLessThanHalfIsLeft() async throws {
        let cache = try folder.cache(byteLimit: 10 * Self.byteCount)
        try store(keys(10..<20), in: cache)
        _ = try await cache.entry(for: "10")
        lowerLimit(of: cache, toEntries: 9)
        try await cache.trim()
        #expect(try keys(10..<20).filter { try cache.store.contains($0) } == ["10", "17", "18", "19"])
    }

    @Test func trimmingEvictsNoMoreThanNecessaryOfOneAge() async throws {
        let cache = try folder.cache(byteLimit: 10 * Self.byteCount)
        try store(keys(10..<20), in: cache)
        let moment = FileTime.now
        for key in keys(10..<18) {
            let file = try FileDescriptor(FilePath(text: folder.file(of: key).path), for: .reading)
            try file.setTimes(access: moment)
        }
        for key in keys(18..<20) { try folder.age(key, bySeconds: 60) }
        lowerLimit(of: cache, toEntries: 9)
        try await cache.trim()
        #expect(try cache.store.directory.total().count == 4)
        #expect(try !cache.store.contains("18") && !cache.store.contains("19"))
        #expect(try await cache.stats().evictionCount == 6)
    }

    /// The oldest entry by use is not the oldest by modification.
    @Test(arguments: [ExpiryDate.access, .modification, .creation]) func expiryDateIsTheConfiguredOne(
        _ date: ExpiryDate
    ) async throws {
        let cache = try folder.cache(byteLimit: 3 * Self.byteCount)
        cache.expiryDate = date
        try store(["aa", "bb", "cc"], in: cache)
        // Hours apart: a test may have to wait its turn for a minute.
        try folder.age(folder.file(of: "aa"), access: 60_000, modification: 10)
        try folder.age(folder.file(of: "cc"), access: 20_000, modification: 20_000)
        try folder.age(folder.file(of: "bb"), access: 10, modification: 60_000)
        let (old, new): (CacheKey, CacheKey) = date == .access ? ("aa", "bb") : ("bb", "aa")
        cache.ageLimit = .seconds(30_000)
        #expect(try await !cache.contains(old))
        #expect(try await cache.contains(new))
        cache.ageLimit = nil
        cache.store.changeLimits { $0.byteCount -= 1 }
        try await cache.trim()
        #expect(try !cache.store.contains(old) && !cache.store.contains("cc"))
        #expect(try await cache.contains(new))
    }

    @Test func changeDateIncludesEveryChange() async throws {
        let cache = try folder.cache()
        cache.expiryDate = .change
        try store(["aa"], in: cache)
        try folder.age(folder.file(of: "aa"), access: 1000, modification: 1000)
        cache.ageLimit = .seconds(500)
        #expect(try await cache.contains("aa"))
    }

    @Test func cacheTrimsItselfPeriodically() async throws {
        let removals = Recorder<FileOperation>()
        let faults = FileFaults { call, byteCount in
            if call == .remove { removals.note(call) }
            return byteCount
        }
        let first = try folder.cache()
        try store(["aa"], in: first)
        try folder.age("aa", bySeconds: 8 * 24 * 3600)
        var cache: DiskDataCache? = try folder.cache(trimInterval: .milliseconds(1), faults: faults)
        await removals.waitForValues(2)  // the first is of the file with which init checks for write access
        let trimming = try #require(cache?.trimming)
        cache = nil
        await trimming.value
        #expect(try folder.files().isEmpty)
    }

    @Test func usesWithinMinutesCountAsOne() async throws {
        let cache = try folder.plainCache(ageLimit: nil)
        try store(["aa"], in: cache)
        let stored = try FileStatus(of: FilePath(text: folder.file(of: "aa").path))
        _ = try await cache.entry(for: "aa")
        #expect(try FileStatus(of: FilePath(text: folder.file(of: "aa").path)) == stored)
        try folder.age("aa", bySeconds: 360)
        let start = FileTime.now
        _ = try await cache.entry(for: "aa")
        #expect(
            try FileStatus(of: FilePath(text: folder.file(of: "aa").path)).accessTime > start.advanced(bySeconds: -60))
    }

    @Test(arguments: [(Duration.seconds(60), 6), (.seconds(3600), 300), (nil, 300)])
    func usesAreRecordedBeforeTheEntryExpires(_ age: Duration?, _ seconds: Int) {
        let limits = EntryStore.Limits(byteCount: 1, age: age)
        #expect(limits.shouldRecordUse(after: .seconds(seconds)) && limits.shouldRecordUse(after: .seconds(1 << 40)))
        #expect(!limits.shouldRecordUse(after: .seconds(seconds) - .nanoseconds(1)))
        #expect(limits.shouldRecordUse(after: .nanoseconds(-1)))
    }

    @Test func useIsRecordedInTimeWithAShortMaximumAge() async throws {
        let cache = try folder.plainCache(ageLimit: .seconds(3000))
        try store(["aa"], in: cache)
        try folder.age("aa", bySeconds: 240)
        let start = FileTime.now
        _ = try await cache.entry(for: "aa")
        #expect(
            try FileStatus(of: FilePath(text: folder.file(of: "aa").path)).accessTime < start.advanced(bySeconds: -200))
        cache.ageLimit = .seconds(600)
        _ = try await cache.entry(for: "aa")
        #expect(try FileStatus(of: FilePath(text: folder.file(of: "aa").path)).accessTime >= start)
    }

    /// The effect of a clock that was set back.
    @Test func entryUsedInTheFutureIsFoundAndItsUseCorrected() async throws {
        let cache = try folder.plainCache(ageLimit: .seconds(3600))
        try store(["aa"], in: cache)
        try folder.age("aa", bySeconds: -86_400)
        #expect(try await cache.contains("aa"))
        #expect(try await cache.entry(for: "aa") != nil)
        #expect(
            try FileStatus(of: FilePath(text: folder.file(of: "aa").path)).accessTime < .now.advanced(bySeconds: 60))
    }

    @Test func entriesUsedInTheFutureAreTrimmedLast() async throws {
        let cache = try folder.cache(byteLimit: 10 * Self.byteCount)
        try store(keys(10..<20), in: cache)
        for key in keys(10..<13) { try folder.age(key, bySeconds: -86_400) }
        lowerLimit(of: cache, toEntries: 9)
        try await cache.trim()
        #expect(try keys(10..<20).filter { try cache.store.contains($0) } == ["10", "11", "12", "19"])
        try await cache.setByteLimit(Self.byteCount)
        #expect(try cache.store.directory.total().count == 1)
    }

    @Test func expiredEntriesAreMisses() async throws {
        let cache = try folder.cache()
        try store(["aa", "bb"], in: cache)
        try folder.age("aa", bySeconds: 8 * 24 * 3600)
        try folder.age("bb", bySeconds: 6 * 24 * 3600)
        #expect(try await !cache.contains("aa"))
        #expect(try await cache.entry(for: "aa") == nil)
        #expect(try folder.files().count == 1)
        #expect(try await cache.entry(for: "bb") != nil)
    }

    @Test func ageCountsFromTheLastUse() async throws {
        let cache = try folder.cache()
        try store(["aa"], in: cache)
        try folder.age("aa", bySeconds: 6 * 24 * 3600)
        let start = FileTime.now
        _ = try await cache.entry(for: "aa")
        let status = try FileStatus(of: FilePath(text: folder.file(of: "aa").path))
        #expect(status.accessTime > start.advanced(bySeconds: -60))
    }

    @Test func maximumAgeCanBeChanged() async throws {
        let cache = try folder.cache()
        try store(["aa", "bb"], in: cache)
        try folder.age("aa", bySeconds: 3600)
        cache.ageLimit = .seconds(60)
        #expect(try await cache.entry(for: "aa") == nil)
        cache.ageLimit = nil
        try folder.age("bb", bySeconds: 1 << 30)
        #expect(try await cache.entry(for: "bb") != nil)
        cache.ageLimit = .zero
        try await cache.trim()
        #expect(try await cache.usage().count == 0)
    }
}
