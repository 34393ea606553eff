import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

@Suite struct OpeningScanTests {
    private let folder: TemporaryDirectory

    init() throws {
        folder = try TemporaryDirectory()
        let cache = try folder.cache()
        for index in 0..<5 { try cache.store.store(DataEntry(Data([1])), for: CacheKey(source: "\(index)")) }
    }

    @Test func wrongCountsAreCorrected() async throws {
        try FileManager.default.removeItem(at: folder.file(of: "0"))
        let added = CacheKey(source: "1", variant: ["A"])
        try FileManager.default.copyItem(at: folder.file(of: "1"), to: folder.file(of: added))
        try await expectMended(count: 5)
    }

    @Test(arguments: [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8], [0, 10, 65_536, 100_000])
    func damagedUsageFileIsRepaired(_ byte: UInt8, _ count: Int) async throws {
        try Data(repeating: byte, count: count).write(to: folder.url.appending(path: "darkroom-usage"))
        try await expectMended(count: 5)
    }

    @Test func missingUsageFileIsCreatedAgain() async throws {
        try FileManager.default.removeItem(at: folder.url.appending(path: "darkroom-usage"))
        try await expectMended(count: 5)
    }

    @Test func onlyOldTemporaryFilesAreRemoved() async throws {
        let shard = folder.file(of: "0").deletingLastPathComponent()
        let (old, new) = (TemporaryName().text, TemporaryName().text)
        for name in [old, new] { try Data([1]).write(to: shard.appending(path: name)) }
        try folder.age(shard.appending(path: old), access: 3700, modification: 3700)
        try await folder.cache().waitForOpeningScan()
        #expect(try folder.files().contains { $0.hasSuffix("/\(new)") })
        #expect(try !folder.files().contains { $0.hasSuffix("/\(old)") })
    }

    @Test func foreignFilesAreLeftAlone() async throws {
        try Data([1]).write(to: folder.url.appending(path: "notes.txt"))
        let pictures = folder.url.appending(path: "pictures")
        try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: false)
        let cache = try folder.cache()
        await cache.waitForOpeningScan()
        try await cache.removeAll()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(names).isSuperset(of: ["notes.txt", "pictures"]))
    }

    @Test func releasedCacheStopsTheScan() async throws {
        let scan = try folder.cache().openingScan
        await scan.value
        #expect(scan.isCancelled)
    }

    @Test func folderDeletedDuringTheScanIsNotCreatedAgain() async throws {
        let scan = try folder.cache().openingScan
        try FileManager.default.removeItem(at: folder.url)
        await scan.value
        #expect(!FileManager.default.fileExists(atPath: folder.url.path))
    }

    @Test func recentScanIsNotRepeated() async throws {
        try await expectMended(count: 5)
        try FileManager.default.removeItem(at: folder.file(of: "0"))
        let calls = Recorder<FileOperation>()
        let faults = FileFaults { call, byteCount in
            calls.note(call)
            return byteCount
        }
        let cache = try folder.cache(scanInterval: .seconds(3600), faults: faults)
        await cache.waitForOpeningScan()
        #expect(!calls.values.contains(.list))
        #expect(try cache.store.directory.total().count == 5, "no scan has run")
        try await expectMended(count: 4)
    }

    @Test(arguments: [-1, 1] as [Double])
    func oldOrFutureScanIsRepeated(_ direction: Double) async throws {
        try await expectMended(count: 5)
        try FileManager.default.removeItem(at: folder.file(of: "0"))
        let moment = FileTime.now.advanced(bySeconds: Int(direction * 7200))
        let usage = FilePath(text: folder.url.appending(path: "darkroom-usage").path)
        try ShardUsage(usage).withLock { try $0.setLastScan(moment) }
        let cache = try folder.cache(scanInterval: .seconds(3600))
        await cache.waitForOpeningScan()
        #expect(try cache.store.directory.total().count == 4)
    }

    private func expectMended(count: Int) async throws {
        let cache = try folder.cache()
        await cache.waitForOpeningScan()
        #expect(try cache.store.directory.total() == .init(byteCount: folder.byteCount(), count: count))
    }
}
