import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// Folders that are shared with another version of the library, which has another layout of its files.
@Suite(.bounded) struct OtherVersionTests {
    private let folder: TemporaryDirectory
    private let store: EntryStore

    init() throws {
        folder = try TemporaryDirectory()
        store = EntryStore(EntryDirectory(FilePath(text: folder.url.path)), limits: .init(byteCount: 1 << 30))
        try store.directory.prepare()
    }

    /// A version without filters, or with filters elsewhere in the file, stores an entry, and counts it.
    private func storeUnknown(_ key: CacheKey, revision: UInt8) throws {
        let record = EntryRecord(key: key, metadata: CrashScenario.entry(key, revision).metadata)
        let data = CrashScenario.entry(key, revision).data
        let file = data + EntryFile.trailer(after: data, record)
        try store.directory.usage.withLock(for: .addition) { table in
            let offset = EntryName(key).shard.index * 16
            var totals = try [table.totals(of: EntryName(key).shard)].flatMap {
                [Int64($0.byteCount), Int64($0.count)]
            }
            totals = [totals[0] + Int64(file.count), totals[1] + 1]
            unsafe try totals.withUnsafeBytes { unsafe try table.write($0, at: offset) }
        }
        try file.write(to: folder.file(of: key))
    }

    @Test(arguments: [false, true]) func entryOfAVersionWithoutFiltersIsRemoved(_ byReplacement: Bool) throws {
        let keys = CrashScenario.keys
        for key in keys { try store.store(CrashScenario.entry(key, 1), for: key) }
        // Makes a filter of the shard, without this source.
        try store.removeAll(ofSource: keys[0].source)
        try storeUnknown(keys[0], revision: 1)
        #expect(try store.peek(at: keys[0]) != nil)
        if byReplacement {
            let response = SourceResponse(of: keys[0].source, at: .now(), revision: "2")
            _ = try store.startGeneration(of: response, after: nil)
        } else {
            try store.removeAll(ofSource: keys[0].source)
        }
        #expect(try store.peek(at: keys[0]) == nil)
        #expect(try store.peek(at: keys[1]) == CrashScenario.entry(keys[1], 1))
    }

    /// Of an older version and of a newer one.
    @Test(arguments: [EntryFooter.version - 1, EntryFooter.version + 1])
    func entryOfAnotherLayoutIsAMissAndIsReplaced(_ version: UInt32) throws {
        let key = CrashScenario.keys[0]
        try store.store(CrashScenario.entry(key, 1), for: key)
        var file = try Data(contentsOf: folder.file(of: key))
        let start = file.count - EntryFooter.byteCount
        file.replaceSubrange(start + 8..<start + 12, with: version.littleEndianBytes)
        file.replaceSubrange(start + 28..<file.count, with: Checksum(of: file.dropLast(4)).value.littleEndianBytes)
        try file.write(to: folder.file(of: key))
        #expect(try store.peek(at: key) == nil)
        #expect(try !store.contains(key))
        try store.update(CrashScenario.entry(key, 2).metadata, for: key)
        #expect(try store.entry(for: key) == nil)
        try store.store(CrashScenario.entry(key, 2), for: key)
        #expect(try store.entry(for: key) == CrashScenario.entry(key, 2))
    }

    /// Older versions had shorter files: without filters, without generations, without a sum.
    @Test(arguments: [
        0, 1, 16, 65_535, 65_536, 65_544, 65_568, 65_600, UsageTable.generationsEnd - 1, UsageTable.generationsEnd,
        UsageTable.end - 1, UsageTable.end + 1, UsageTable.end + 1 << 30,
    ])
    func fileOfTotalsMayHaveAnyLength(_ byteCount: Int) throws {
        for key in CrashScenario.keys { try store.store(CrashScenario.entry(key, 1), for: key) }
        let path = FilePath(text: folder.url.path)
        try FileDescriptor(path.appending("darkroom-usage"), for: .changing).setLength(byteCount)
        try CrashCheck(path, .current, "\(byteCount) bytes").run()
    }
}
