import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import Testing

@testable import DarkroomCaches

/// The duties of a cache in a folder after a crash, or after any failure.
struct CrashCheck {
    private let path: FilePath
    private let store: EntryStore
    private let comment: Comment

    init(_ path: FilePath, _ scope: FilterScope, _ comment: Comment) {
        (self.path, self.comment) = (path, comment)
        store = EntryStore(EntryDirectory(path, scope: scope), limits: .init(byteCount: 1 << 30))
    }

    /// Opens the folder, and checks that its entries are whole, and that it works.
    func run() throws {
        try store.directory.prepare()
        try checkFilters()
        for key in CrashScenario.keys {
            if let entry = try store.entry(for: key) {
                #expect(CrashScenario.storedEntries[key]?.contains(entry) == true, comment)
            }
        }
        // Whether or not the last one was before the crash.
        #expect(try store.directory.isScanDue(after: .seconds(3600), systemStart: .now), comment)
        try scan()
        #expect(try store.directory.total() == totalOfFiles(), comment)
        try replaceAndRemove()
        #expect(try store.directory.total() == totalOfFiles(), comment)
    }

    /// The filter of a shard, if there is one, has the sources of all entries.
    private func checkFilters() throws {
        for key in CrashScenario.keys where try store.contains(key) {
            let filter = try store.directory.usage.withLock { try $0.sourceFilter(of: Shard(ofSource: key.source)) }
            #expect(filter?.mayContain(MD5Digest(of: key.source)) ?? true, comment)
        }
    }

    private func scan() throws {
        for shard in try store.directory.shards() {
            let names = try path.appending(shard.name).names().filter { $0.hasPrefix(".") }
            for name in names {
                let file = try FileDescriptor(path.appending(name, inSubfolder: shard.name), for: .reading)
                try file.setTimes(access: FileTime(nanoseconds: 0), modification: FileTime(nanoseconds: 0))
            }
            try store.directory.repair(shard)
            #expect(try !path.appending(shard.name).names().contains { $0.hasPrefix(".") }, comment)
        }
        try store.directory.recordScan()
    }

    private func totalOfFiles() throws -> ShardTotals {
        var total = ShardTotals.none
        for name in try path.names() {
            for file in try path.appending(name).names() {
                let byteCount = try path.appending(file, inSubfolder: name).status()?.byteCount ?? 0
                total = total + ShardTotals(byteCount: byteCount, count: 1)
            }
        }
        return total
    }

    private func replaceAndRemove() throws {
        let (replaced, removed) = (CrashScenario.sources[0], CrashScenario.sources[1])
        let ticket = try store.ticket(forSource: replaced)
        let response = SourceResponse(of: replaced, at: .now(), revision: "9")
        let next = try store.startGeneration(of: response, after: ticket)
        #expect(next != nil, comment)
        for key in CrashScenario.keys where key.source == replaced { #expect(try store.peek(at: key) == nil, comment) }
        for key in CrashScenario.keys { try store.store(CrashScenario.entry(key, 9), for: key) }
        if let next {
            try store.store(CrashScenario.entry(CrashScenario.keys[0], 10), for: CrashScenario.keys[0], with: next)
        }
        try store.removeAll(ofSource: removed)
        for key in CrashScenario.keys {
            let number: UInt8 = key == CrashScenario.keys[0] ? 10 : 9
            let expected = key.source == removed ? nil : CrashScenario.entry(key, number)
            #expect(try store.entry(for: key) == expected, comment)
        }
    }
}
