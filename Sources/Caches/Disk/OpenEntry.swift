import DarkroomCore
import DarkroomFiles
import DarkroomPlatform

/// The open file of an entry. Reading it does not count as a use; call `markUsed` for that.
struct OpenEntry {
    private static let pieceByteCount = 256 << 10

    private let file: FileDescriptor

    /// The status of the file when it was opened.
    let status: FileStatus

    /// Opens the file. Returns `nil` if it does not exist.
    init?(_ path: FilePath) throws(SystemError) {
        do {
            file = try FileDescriptor(path, for: .reading)
            status = try file.status()
        } catch let error where error.isMissing {
            return nil
        }
    }

    /// Reads and verifies the whole entry. Throws `DamagedEntry` if it is not intact.
    func content() throws -> EntryFile {
        try checkIsRegular()
        return try EntryFile(verifying: try file.read(status.byteCount))
    }

    /// Reads the whole file without verification.
    func bytes() throws(SystemError) -> Data { try file.read(status.byteCount) }

    /// Reads the record and the size of the image, without reading the image or verifying the checksum.
    func summary() throws -> (record: EntryRecord, imageByteCount: Int) {
        let footer = try footer()
        let record = try file.read(footer.recordByteCount, at: footer.imageByteCount)
        return (try EntryRecord(decoding: Array(record)), footer.imageByteCount)
    }

    /// Returns the result of `predicate` for the record, or `nil` if the record is damaged.
    func recordMatches(_ predicate: (EntryRecord) -> Bool) throws -> Bool? {
        do {
            return predicate(try summary().record)
        } catch is DamagedEntry {
            return nil
        }
    }

    /// Returns the size of the image according to the footer.
    func imageByteCount() throws -> Int { try footer().imageByteCount }

    /// Verifies every byte as `content` does, but holds only a piece of the file in memory at a time.
    func verifiedSummary() throws -> (record: EntryRecord, imageByteCount: Int) {
        let expected = try footer().checksum
        let end = status.byteCount - EntryFooter.checksumByteCount
        var checksum: Checksum?
        for start in stride(from: 0, to: end, by: Self.pieceByteCount) {
            let piece = try file.read(min(Self.pieceByteCount, end - start), at: start)
            checksum = Checksum(of: piece, following: checksum)
        }
        guard checksum?.value == expected else { throw DamagedEntry() }
        return try summary()
    }

    /// Sets the time of last use. If that fails, the entry is evicted earlier than it should be.
    func markUsed(_ time: FileTime) { try? file.setTimes(access: time) }

    private func footer() throws -> EntryFooter {
        try checkIsRegular()
        let start = max(0, status.byteCount - EntryFooter.byteCount)
        return try EntryFooter(try file.read(EntryFooter.byteCount, at: start), fileByteCount: status.byteCount)
    }

    private func checkIsRegular() throws(DamagedEntry) {
        guard status.isRegular else { throw DamagedEntry() }
    }
}
