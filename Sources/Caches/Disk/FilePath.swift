#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a file or folder is.
struct FilePath: Hashable, Sendable {
    /// The path as text, absolute or relative to the process's folder.
    let text: String

    /// The path of something in this folder.
    func appending(_ name: String) -> FilePath { FilePath(text: "\(text)/\(name)") }

    /// The folder that it is in.
    var folder: FilePath {
        guard let slash = text.lastIndex(of: "/") else { return FilePath(text: ".") }
        return FilePath(text: slash == text.startIndex ? "/" : String(text[..<slash]))
    }

    /// What is there; `nil` when nothing is.
    func status() throws(SystemError) -> FileStatus? {
        do {
            return try FileStatus(ofPath: text)
        } catch let error where error.isMissing {
            return nil
        }
    }

    /// Moves the file to `path`, in place of what is there.
    func move(to path: FilePath) throws(SystemError) { try SystemError.check { unsafe rename(text, path.text) } }

    /// Removes the file.
    func remove() throws(SystemError) { try SystemError.check { unsafe unlink(text) } }

    /// Makes the folder, its owner's alone, and those around it as far as they are not there.
    func makeFolder() throws(SystemError) {
        do {
            try SystemError.check { unsafe mkdir(text, 0o700) }
        } catch let error where error.code == ENOENT {
            try folder.makeFolder()
            try SystemError.check { unsafe mkdir(text, 0o700) }
        } catch let error where error.isExisting {
            guard isFolder else { throw SystemError(code: ENOTDIR) }
        }
    }

    /// The names in the folder, in any order; none when there is no folder.
    func names() throws -> [String] {
        do {
            return try FileManager.default.contentsOfDirectory(atPath: text)
        } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
            return []
        }
    }

    private var isFolder: Bool {
        var status = stat()
        return unsafe stat(text, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
