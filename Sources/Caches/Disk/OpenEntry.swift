#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The file of an entry, opened. Reading it is not a use of the entry unless `markUsed` says so.
struct OpenEntry {
    private let file: FileDescriptor

    /// What was known about the file when it was opened.
    let status: FileStatus

    /// `nil` when there is no such file.
    init?(_ path: FilePath) throws(SystemError) {
        do {
            file = try FileDescriptor(path.text, for: .reading)
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

    /// Whose entry it is and how long its picture, read without the picture and without checking the sum.
    func summary() throws -> (record: EntryRecord, pictureByteCount: Int) {
        let footer = try footer()
        let record = try file.read(footer.recordByteCount, at: footer.pictureByteCount)
        return (try EntryRecord(decoding: Array(record)), footer.pictureByteCount)
    }

    /// Makes this moment that of the last use. Failing that, the entry goes earlier than it should.
    func markUsed() { try? file.setTimes(access: .now) }

    private func footer() throws -> EntryFooter {
        try checkKind()
        let start = max(0, status.byteCount - EntryFooter.byteCount)
        return try EntryFooter(try file.read(EntryFooter.byteCount, at: start), fileByteCount: status.byteCount)
    }

    private func checkKind() throws(DamagedEntry) {
        guard status.isRegular else { throw DamagedEntry() }
    }
}
