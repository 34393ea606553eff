import DarkroomFiles
import Synchronization

/// The error of an operation that would have to write a folder that may only be read.
struct ReadOnlyFolder: Error, CustomStringConvertible {
    /// The error with which the system refused to write.
    let cause: SystemError

    var description: String { cause.description }
}

/// Determines whether a cache may write its folder.
///
/// After a refusal the folder is only read. Each operation that depends on it tries to write again, so that the cache
/// stores entries as soon as the folder is writable.
final class FolderAccess: Sendable {
    private let usageFile: FilePath

    /// The code of the last refusal; 0 if there was none, or the folder has been writable since.
    private let refusalCode = Atomic<Int32>(0)

    /// Creates the access to the folder that contains `usageFile`, the file that must be writable, too, if it exists.
    init(usageFile: FilePath) { self.usageFile = usageFile }

    /// Whether the last attempt to write was refused. This does not try again.
    var isRefused: Bool { refusalCode.load(ordering: .relaxed) != 0 }

    /// The reason why the folder may only be read; `nil` if it is writable, as far as is known.
    var refusal: ReadOnlyFolder? { isRefused ? refusalOfAttempt() : nil }

    /// Returns the reason why the folder may only be read from now on, after `error` of any operation; `nil` if the
    /// error does not say so, or has said so before.
    func refusal(after error: SystemError) -> ReadOnlyFolder? {
        error.forbidsWriting && !isRefused ? refusalOfAttempt() : nil
    }

    /// Throws if the folder may only be read.
    func requireWriting() throws(ReadOnlyFolder) { if let refusal { throw refusal } }

    /// Throws if files in the folder cannot be created and modified.
    func check() throws(SystemError) {
        do {
            _ = try FileDescriptor(usageFile, for: .changing)
        } catch let error where error.isMissing {
            // The first store creates it.
        }
        let probe = usageFile.folder.appending(TemporaryName().text)
        _ = try FileDescriptor(probe, for: .creating)
        try probe.remove()
    }

    private func refusalOfAttempt() -> ReadOnlyFolder? {
        var refusal: ReadOnlyFolder?
        do {
            try check()
        } catch let error where error.forbidsWriting {
            refusal = ReadOnlyFolder(cause: error)
        } catch {
            // Such as a full disk, which the operation itself reports.
        }
        refusalCode.store(refusal?.cause.code ?? 0, ordering: .relaxed)
        return refusal
    }
}
