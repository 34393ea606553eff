#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file of an entry, opened. Reading it is not a use of the entry unless `markUsed` says so.
struct OpenEntry {
    private static let pieceByteCount = 256 << 10

    private let file: FileDescriptor

    /// What was known about the file when it was opened.
    let status: FileStatus

    /// `nil` when there is no such file.
    init?(_ path: FilePath) throws(SystemError) {
        do {
            file = try FileDescriptor(path, for: .reading)
            status = try file.status()
        } catch let error where error.isMissing {
            return nil
        }
    }

    /// The whole entry, checked; throws `DamagedEntry` when it is not whole.
    func content() throws -> EntryFile {
        try checkKind()
        return try EntryFile(checking: try file.read(status.byteCount))
    }

    /// All of it, unchecked.
    func bytes() throws(SystemError) -> Data { try file.read(status.byteCount) }

    /// Whose entry it is and how long its picture, read without the picture and without checking the sum.
    func summary() throws -> (record: EntryRecord, pictureByteCount: Int) {
        let footer = try footer()
        let record = try file.read(footer.recordByteCount, at: footer.pictureByteCount)
        return (try EntryRecord(decoding: Array(record)), footer.pictureByteCount)
    }

    /// What `isWanted` says of the record; `nil` when it cannot be told because of damage.
    func isEntry(_ isWanted: (EntryRecord) -> Bool) throws -> Bool? {
        do {
            return isWanted(try summary().record)
        } catch is DamagedEntry {
            return nil
        }
    }

    /// How long the picture is, by what the end of the file says.
    func pictureByteCount() throws -> Int { try footer().pictureByteCount }

    /// Checks every byte as `content` does, but has only a piece of the file in memory at a time.
    func checkedSummary() throws -> (record: EntryRecord, pictureByteCount: Int) {
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

    /// Makes `time` that of the last use. Failing that, the entry goes earlier than it should.
    func markUsed(_ time: FileTime) { try? file.setTimes(access: time) }

    private func footer() throws -> EntryFooter {
        try checkKind()
        let start = max(0, status.byteCount - EntryFooter.byteCount)
        return try EntryFooter(try file.read(EntryFooter.byteCount, at: start), fileByteCount: status.byteCount)
    }

    private func checkKind() throws(DamagedEntry) {
        guard status.isRegular else { throw DamagedEntry() }
    }
}
