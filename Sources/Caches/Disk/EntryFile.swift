import CChecksum
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file of an entry: the picture, so that any viewer opens it, behind it the record, and a footer at the end.
struct EntryFile {
    let key: CacheKey
    let entry: DataEntry

    /// Takes the bytes of a whole file apart, after checking every one of them.
    init(checking file: Data) throws(DamagedEntry) {
        let footer = try EntryFooter(file.suffix(EntryFooter.byteCount), fileByteCount: file.count)
        let (checksum, record) = unsafe file.withUnsafeBytes { bytes in
            let checked = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropLast(EntryFooter.checksumByteCount))
            let record = unsafe UnsafeRawBufferPointer(rebasing: bytes[footer.recordRange])
            return (unsafe Checksum(of: checked), unsafe [UInt8](record))
        }
        guard checksum.value == footer.checksum else { throw DamagedEntry() }
        let content = try EntryRecord(decoding: record)
        key = content.key
        entry = DataEntry(file.prefix(footer.pictureByteCount), metadata: content.metadata)
    }

    /// What stands in the file of `record` behind `picture`.
    static func trailer(behind picture: Data, _ record: EntryRecord) -> Data {
        let record = record.bytes
        let footer = EntryFooter(pictureByteCount: picture.count, recordByteCount: record.count)
        let trailer = Data(record + footer.bytesBeforeChecksum)
        return trailer + EntryFooter.bytes(of: Checksum(of: trailer, following: Checksum(of: picture)).value)
    }
}

/// The last bytes of an entry's file. Numbers have their lowest byte first.
///
/// They are the magic text, the version of the layout (4 bytes), the lengths of picture and record (8 bytes each), and
/// the CRC-32C of all that stands before it in the file.
struct EntryFooter {
    static let byteCount = 32
    static let checksumByteCount = 4

    /// The text "darkroom".
    private static let magic: UInt64 = 0x6D6F_6F72_6B72_6164
    private static let version: UInt32 = 5

    let pictureByteCount: Int
    let recordByteCount: Int
    private(set) var checksum: UInt32 = 0

    /// Where in the file the record is.
    var recordRange: Range<Int> { pictureByteCount..<(pictureByteCount + recordByteCount) }

    init(pictureByteCount: Int, recordByteCount: Int) {
        self.pictureByteCount = pictureByteCount
        self.recordByteCount = recordByteCount
    }

    /// Reads the footer of a file that is `fileByteCount` long; the lengths in it add up to that.
    init(_ data: Data, fileByteCount: Int) throws(DamagedEntry) {
        let bytes = data.bytes
        guard bytes.byteCount == Self.byteCount,
            UInt64(in: bytes, at: 0) == Self.magic, UInt32(in: bytes, at: 8) == Self.version,
            let picture = Int(exactly: UInt64(in: bytes, at: 12)),
            let record = Int(exactly: UInt64(in: bytes, at: 20)),
            picture <= fileByteCount, record == fileByteCount - Self.byteCount - picture, record >= 0
        else { throw DamagedEntry() }
        self.init(pictureByteCount: picture, recordByteCount: record)
        checksum = UInt32(in: bytes, at: 28)
    }

    /// All but the checksum.
    var bytesBeforeChecksum: [UInt8] {
        Self.bytes(of: Self.magic) + Self.bytes(of: Self.version)
            + Self.bytes(of: UInt64(pictureByteCount)) + Self.bytes(of: UInt64(recordByteCount))
    }

    /// A number as it is written.
    static func bytes<Number: FixedWidthInteger>(of number: Number) -> [UInt8] {
        stride(from: 0, to: Number.bitWidth, by: 8).map { UInt8(truncatingIfNeeded: number >> Number($0)) }
    }
}

extension FixedWidthInteger where Self: BitwiseCopyable {
    /// The number at `offset`, its lowest byte first.
    fileprivate init(in bytes: borrowing RawSpan, at offset: Int) {
        self.init(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Self.self))
    }
}

/// A CRC-32C.
struct Checksum {
    let value: UInt32

    /// The checksum of `data`, behind what `previous` is the checksum of.
    init(of data: Data, following previous: Checksum? = nil) {
        self = unsafe data.withUnsafeBytes { unsafe Checksum(of: $0, following: previous) }
    }

    /// The checksum of `bytes`, behind what `previous` is the checksum of.
    init(of bytes: UnsafeRawBufferPointer, following previous: Checksum? = nil) {
        value = unsafe darkroom_crc32c(previous?.value ?? 0, bytes.baseAddress, bytes.count)
    }
}
