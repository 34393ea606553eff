@testable import DarkroomCaches
@testable import DarkroomCore
@testable import DarkroomFiles
@testable import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials

extension FuzzTarget {
    private static let key = CacheKey(source: "https://example.com/a.png", variant: ["Greyscale"])

    /// Metadata with a value for most fields.
    private static var sampleMetadata: DataEntry.Metadata {
        var metadata = DataEntry.Metadata(storedAt: Date(timeIntervalSinceReferenceDate: 1000))
        var info = ImageInfo(format: .png, storedSize: PixelSize(3, 4))
        info.comments = ["first", "secönd"]
        info.iccProfile = Data([0, 1, 255])
        metadata.info = info
        metadata.setCookies = ["a=1"]
        metadata.extendedData = Data([7])
        metadata.original = OriginalVersion(
            revision: "1", freshness: Freshness(confirmedAt: Date(timeIntervalSinceReferenceDate: 900)))
        return metadata
    }

    /// Bytes that caches read from disks and engines.
    static let caches: [FuzzTarget] = [
        FuzzTarget("entry-records", seeds: { [EntryRecord(key: key, metadata: sampleMetadata).bytes] }) { input in
            let record = try EntryRecord(decoding: input.bytes)
            let again = try? EntryRecord(decoding: record.bytes)
            // Not the same bytes: a number may have been written with more bytes than necessary.
            demand(again?.bytes == record.bytes, "a record changes when it is written again")
            _ = record.metadata.info.map { ($0.size.byteCount, "\($0)") }
        },
        FuzzTarget(
            "entry-files",
            seeds: {
                let image = Data([1, 2, 3])
                return [Array(image + EntryFile.trailer(after: image, EntryRecord(key: key, metadata: sampleMetadata)))]
            }
        ) { input in
            let directory = try TemporaryDirectory()
            let store = try open(directory)
            try store.store(DataEntry(Data([1, 2, 3])), for: key)
            let name = EntryName(key)
            let file = directory.url.appending(path: name.shard.name).appending(path: name.fileName)
            try input.data.write(to: file)
            let entry = try store.entry(for: key)
            demand(entry == nil || input.bytes.starts(with: entry!.data), "the entry is not that of the file")
            try store.store(DataEntry(Data([4])), for: key)
            demand(try store.entry(for: key)?.data == Data([4]), "a damaged file prevents storing")
        },
        FuzzTarget("usage-files", seeds: { [[0], Array(repeating: 0xFF, count: 64)] }) { input in
            let directory = try TemporaryDirectory()
            let store = try open(directory)
            try store.store(DataEntry(Data([1, 2, 3])), for: key)
            for file in try FileManager.default.contentsOfDirectory(atPath: directory.url.path) {
                let url = directory.url.appending(path: file)
                guard var bytes = try? Data(contentsOf: url) else { continue }
                // The fuzzer's bytes in the place that their first two choose; the file keeps its length, or loses its end.
                var choices = input.choices
                let place = choices.next(below: 65_536) * 8 % max(bytes.count, 1)
                bytes.replaceSubrange(place..<min(place + input.bytes.count, bytes.count), with: input.data)
                try (choices.flag() ? bytes : bytes.prefix(place)).write(to: url)
            }
            let reopened = try open(directory)
            try reopened.store(DataEntry(Data([4])), for: key)
            demand(try reopened.entry(for: key)?.data == Data([4]), "a damaged usage file prevents storing")
            try reopened.removeAll(ofSource: key.source)
            demand(try reopened.entry(for: key) == nil, "a removed entry remains")
        },
        FuzzTarget(
            "envelopes",
            seeds: {
                let entry = DataEntry(Data([1, 2, 3]), metadata: sampleMetadata)
                return [Array(try Envelope().object(entry, for: key, at: Date(timeIntervalSinceReferenceDate: 1000)))]
            }
        ) { input in
            let object = StoredObject(input.data)
            let entry = try Envelope().entry(in: object, for: key, at: Date(timeIntervalSinceReferenceDate: 1000))
            demand(input.data.suffix(entry.data.count) == entry.data, "the entry is not that of the object")
        },
    ]

    private static func open(_ directory: TemporaryDirectory) throws -> EntryStore {
        let limits = EntryStore.Limits(byteCount: 1 << 20, age: nil, date: .access)
        let folder = EntryDirectory(FilePath(text: directory.url.path))
        try folder.prepare()
        return EntryStore(folder, limits: limits)
    }
}

extension EntryStore {
    /// Returns the entry of `key`.
    fileprivate func entry(for key: CacheKey) throws -> DataEntry? {
        guard case .finished(let entry) = try read(key, .current) else { return nil }
        return entry
    }
}
