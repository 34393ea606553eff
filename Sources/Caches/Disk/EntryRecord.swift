import DarkroomCore
import DarkroomPlatform

/// The key and the metadata of an entry, stored after the image in its file.
struct EntryRecord: Equatable {
    let key: CacheKey
    let metadata: DataEntry.Metadata
}

extension EntryRecord {
    /// The encoded record. Equal records have equal bytes.
    var bytes: [UInt8] {
        var writer = RecordWriter()
        var (key, metadata) = (key, metadata)
        key.code(with: &writer)
        metadata.code(with: &writer)
        return writer.bytes
    }

    init(decoding bytes: [UInt8]) throws(DamagedEntry) {
        var reader = RecordReader(bytes)
        key = try reader.value()
        metadata = try reader.value()
        guard reader.isAtEnd else { throw DamagedEntry() }
    }
}

extension CacheKey: Recorded {
    static var blank: CacheKey { CacheKey(source: "") }

    mutating func code<Coder: RecordCoder>(with coder: inout Coder) throws(Coder.Failure) {
        var (source, variant) = (source, variant)
        try coder.code(&source)
        try coder.code(&variant)
        self = CacheKey(source: source, variant: variant)
    }
}
