import DarkroomCore
import DarkroomFiles
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@testable import DarkroomCaches

/// Names and records may contain arbitrary bytes.
@Suite(.bounded)
struct HostileTextTests {
    private static let sources = [
        "https://example.com/photos/a.tar.gz?x=1", "http://example.com/a.p%0Ag", "photo.jpeg", "file:///a/b.%2F%00",
    ]

    @Test func fileNamesAreOneComponentOfAtMost255Bytes() {
        var mutator = TextMutator(Self.sources, seed: 51)
        for _ in 0..<4000 {
            let key = CacheKey(source: mutator.next(), variant: mutator.below(2) == 0 ? [] : [mutator.next()])
            let name = EntryName(key)
            #expect(name.fileName.utf8.count <= 255)
            #expect(!name.fileName.utf8.contains { $0 == 0 || $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") })
            #expect(EntryName(fileName: name.fileName, in: name.shard) == name)
            #expect(name.digest.utf8.count == 32)
            let text = key.description
            let pathExtension = CacheKey(source: text).pathExtension
            #expect((text.plainExtension ?? pathExtension).hasBytes(of: pathExtension))
        }
    }

    @Test func anyTextGivesAFileName() {
        var mutator = TextMutator(["0123456789abcdef0123456789abcdef.png", "a1f", ".1234567890123456789"], seed: 52)
        for _ in 0..<4000 {
            let text = mutator.next()
            if let shard = Shard(name: text) { #expect(shard.name.hasBytes(of: text)) }
            if let name = TemporaryName(text) { #expect(name.text.hasBytes(of: text) && text.utf8.count <= 21) }
            if let name = EntryName(fileName: text, in: Shard(index: 0)) { #expect(name.digest.utf8.count == 32) }
        }
        for unit in ["0", "/", "a."] {
            let text = TextMutator.longText(repeating: unit)
            #expect(Shard(name: text) == nil && TemporaryName(text) == nil)
            #expect(EntryName(CacheKey(source: text)).fileName.utf8.count <= 255)
        }
    }

    @Test func arbitraryRecordsAreIntactOrDamaged() {
        let records = EntryRecordTests.metadata.map {
            EntryRecord(key: CacheKey(source: "a", variant: ["b"]), metadata: $0)
        }
        var mutator = FileMutator(records.map(\.bytes), seed: 53)
        for _ in 0..<4000 {
            guard let record = try? EntryRecord(decoding: mutator.next()) else { continue }
            // Not the same bytes: a number may have been written with more bytes than necessary.
            #expect((try? EntryRecord(decoding: record.bytes))?.bytes == record.bytes)
            _ = record.metadata.info.map { ($0.size.byteCount, "\($0)") }
        }
    }

    @Test func arbitraryFootersLieWithinTheFile() {
        let trailer = EntryFile.trailer(
            after: Data([1, 2, 3]), EntryRecord(key: CacheKey(source: "a"), metadata: .init()))
        var mutator = FileMutator([Array(trailer.suffix(EntryFooter.byteCount))], seed: 54)
        for _ in 0..<4000 {
            let bytes = Data(mutator.next())
            guard let footer = try? EntryFooter(bytes, fileByteCount: trailer.count + 3) else { continue }
            #expect(footer.recordRange.lowerBound >= 0 && footer.recordRange.upperBound <= trailer.count + 3)
        }
    }

    @Test(arguments: ["a/\u{301}b/c", "\u{301}", "a//\u{301}/", "\u{37E}/\r\n/x"])
    func foldersOfAnyNameAreCreated(_ name: String) throws {
        let directory = try TemporaryDirectory()
        let path = FilePath(text: directory.url.path + "/" + name)
        try path.makeFolder()
        #expect(path.isFolder)
        try path.makeFolder()
    }

    @Test func impossibleFolderIsAnError() {
        for text in ["", String(repeating: "a/", count: 100_000)] {
            #expect(throws: SystemError.self) { try FilePath(text: text).makeFolder() }
        }
    }
}
