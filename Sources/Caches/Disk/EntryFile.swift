import CChecksum
import DarkroomCore
import DarkroomPlatform

/// The file of an entry: the image, so that any viewer opens the file, then the record, and a footer at the end.
struct EntryFile {
    let key: CacheKey
    let entry: DataEntry

    /// Verifies the bytes of a complete file, and parses it.
    init(verifying file: Data) throws(DamagedEntry) {
        let footer = try EntryFooter(file.suffix(EntryFooter.byteCount), fileByteCount: file.count)
        let (checksum, record) = unsafe file.withUnsafeBytes { bytes in
            let checked = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropLast(EntryFooter.checksumByteCount))
            let record = unsafe UnsafeRawBufferPointer(rebasing: bytes[footer.recordRange])
            return (unsafe Checksum(of: checked), unsafe [UInt8](record))
        }
        guard checksum.value == footer.checksum else { throw DamagedEntry() }
        // Not as an `EntryRecord`, whose many fields would be copied.
        var reader = RecordReader(record)
        key = try reader.value()
        entry = DataEntry(file.prefix(footer.imageByteCount), metadata: try reader.value())
        guard reader.isAtEnd else { throw DamagedEntry() }
    }

    /// Returns the part of the file of `record` that follows `image`.
    static func trailer(after image: Data, _ record: EntryRecord) -> Data {
        var trailer = record.bytes
        EntryFooter(imageByteCount: image.count, recordByteCount: trailer.count).write(to: &trailer)
        let checksum = unsafe trailer.withUnsafeBytes { unsafe Checksum(of: $0, following: Checksum(of: image)) }
        trailer.append(littleEndian: checksum.value)
        return Data(trailer)
    }
}

/// The footer of an entry's file. Numbers are little-endian.
///
/// It consists of the magic text, the version of the layout (4 bytes), the lengths of image and record (8 bytes each),
/// and the CRC-32C of everything before it in the file.
struct EntryFooter {
    static let byteCount = 32
    static let checksumByteCount = 4

    /// The text "darkroom".
    private static let magic: UInt64 = 0x6D6F_6F72_6B72_6164
    /// The version of the layout, including that of the record.
    static let version: UInt32 = 10

    let imageByteCount: Int
    let recordByteCount: Int
    private(set) var checksum: UInt32 = 0

    /// The range of the record in the file.
    var recordRange: Range<Int> { imageByteCount..<(imageByteCount + recordByteCount) }

    init(imageByteCount: Int, recordByteCount: Int) {
        self.imageByteCount = imageByteCount
        self.recordByteCount = recordByteCount
    }

    /// Parses the footer of a file of `fileByteCount` bytes. The lengths in it must add up to that.
    init(_ data: Data, fileByteCount: Int) throws(DamagedEntry) {
        let bytes = data.bytes
        guard bytes.byteCount == Self.byteCount,
            UInt64(in: bytes, at: 0) == Self.magic, UInt32(in: bytes, at: 8) == Self.version,
            let image = Int(exactly: UInt64(in: bytes, at: 12)),
            let record = Int(exactly: UInt64(in: bytes, at: 20)),
            image <= fileByteCount, record == fileByteCount - Self.byteCount - image, record >= 0
        else { throw DamagedEntry() }
        self.init(imageByteCount: image, recordByteCount: record)
        checksum = UInt32(in: bytes, at: 28)
    }

    /// Appends the footer without the checksum.
    func write(to bytes: inout [UInt8]) {
        bytes.append(littleEndian: Self.magic)
        bytes.append(littleEndian: Self.version)
        bytes.append(littleEndian: UInt64(imageByteCount))
        bytes.append(littleEndian: UInt64(recordByteCount))
    }
}

extension [UInt8] {
    /// Appends the bytes of a number.
    mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        for shift in stride(from: 0, to: Number.bitWidth, by: 8) {
            append(UInt8(truncatingIfNeeded: number >> Number(shift)))
        }
    }
}

extension FixedWidthInteger where Self: BitwiseCopyable {
    /// Reads the little-endian number at `offset`.
    fileprivate init(in bytes: borrowing RawSpan, at offset: Int) {
        self.init(littleEndian: unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: Self.self))
    }
}

/// A CRC-32C.
struct Checksum {
    let value: UInt32

    /// Computes the checksum of `data`, continuing from `previous`.
    init(of data: Data, following previous: Checksum? = nil) {
        self = unsafe data.withUnsafeBytes { unsafe Checksum(of: $0, following: previous) }
    }

    /// Computes the checksum of `bytes`, continuing from `previous`.
    init(of bytes: UnsafeRawBufferPointer, following previous: Checksum? = nil) {
        value = unsafe darkroom_crc32c(previous?.value ?? 0, bytes.baseAddress, bytes.count)
    }
}
