import DarkroomCore
import FoundationEssentials
import Testing

@testable import DarkroomCaches

@Suite struct OpeningScanTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let cache = try folder.cache()
        for index in 0..<5 { try cache.store.store(DataEntry(Data([1])), for: CacheKey(source: "\(index)")) }
    }

    @Test func countsThatAreWrongAreMended() async throws {
        try FileManager.default.removeItem(at: folder.file(of: "0"))
        let added = CacheKey(source: "1", variant: ["A"])
        try FileManager.default.copyItem(at: folder.file(of: "1"), to: folder.file(of: added))
        try await expectMended(count: 5)
    }

    @Test(arguments: [0x00, 0x01, 0x7F, 0x80, 0xFF] as [UInt8], [0, 10, 65_536, 100_000])
    func aDamagedUsageFileIsMended(_ byte: UInt8, _ count: Int) async throws {
        try Data(repeating: byte, count: count).write(to: folder.url.appending(path: "usage"))
        try await expectMended(count: 5)
    }

    @Test func aMissingUsageFileIsMadeAgain() async throws {
        try FileManager.default.removeItem(at: folder.url.appending(path: "usage"))
        try await expectMended(count: 5)
    }

    @Test func onlyOldTemporaryFilesAreRemoved() async throws {
        let shard = folder.file(of: "0").deletingLastPathComponent()
        for name in [".old", ".new"] { try Data([1]).write(to: shard.appending(path: name)) }
        let old = FileTime.now.advanced(bySeconds: -3700)
        try FileDescriptor(shard.appending(path: ".old").path, for: .reading).setTimes(access: old, modification: old)
        try await folder.cache().waitForOpeningScan()
        #expect(try folder.files().contains { $0.hasSuffix("/.new") })
        #expect(try !folder.files().contains { $0.hasSuffix("/.old") })
    }

    @Test func whatDoesNotBelongThereIsLeftAlone() async throws {
        try Data([1]).write(to: folder.url.appending(path: "notes.txt"))
        let pictures = folder.url.appending(path: "pictures")
        try FileManager.default.createDirectory(at: pictures, withIntermediateDirectories: false)
        let cache = try folder.cache()
        await cache.waitForOpeningScan()
        try await cache.removeAll()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(Set(names).isSuperset(of: ["notes.txt", "pictures"]))
    }

    @Test func aCacheThatIsNeededNoMoreStopsIt() async throws {
        let scan = try folder.cache().openingScan
        await scan.value
        #expect(scan.isCancelled)
    }

    private func expectMended(count: Int) async throws {
        let cache = try folder.cache()
        await cache.waitForOpeningScan()
        #expect(try cache.store.directory.total() == .init(byteCount: folder.byteCount(), count: count))
    }
}
