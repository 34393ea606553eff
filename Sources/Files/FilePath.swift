import DarkroomPlatform

/// The path of a file or folder, absolute or relative to the current folder. It may have any bytes but 0, because the names
/// of files need not be valid UTF-8.
package struct FilePath: Sendable {
    /// The bytes, and a zero.
    private let characters: [UInt8]

    /// The hook of tests, inherited by all derived paths.
    package let faults: FileFaults?

    /// Creates the path with the bytes of `text`.
    package init(text: String, faults: FileFaults? = nil) { self.init(bytes: text.utf8, faults: faults) }

    /// Creates the path with these bytes. A zero would end it.
    package init(bytes: some Collection<UInt8>, faults: FileFaults? = nil) {
        var characters: [UInt8] = []
        characters.reserveCapacity(bytes.count + 1)
        characters += bytes
        characters.append(0)
        (self.characters, self.faults) = (characters, faults)
    }

    private init(characters: [UInt8], faults: FileFaults?) { (self.characters, self.faults) = (characters, faults) }

    /// The path as text, for messages.
    package var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Returns the path of an item in this folder, or in a folder in it.
    package func appending(_ name: String, inSubfolder folder: String? = nil) -> FilePath {
        let slash = UInt8(ascii: "/")
        var path: [UInt8] = []
        path.reserveCapacity(characters.count + 1 + name.utf8.count + (folder.map { $0.utf8.count + 1 } ?? 0))
        path += bytes
        if let folder {
            path.append(slash)
            path += folder.utf8
        }
        path.append(slash)
        path += name.utf8
        path.append(0)
        return FilePath(characters: path, faults: faults)
    }

    /// The parent folder.
    package var folder: FilePath {
        let slash = UInt8(ascii: "/")
        guard let end = bytes.lastIndex(of: slash) else { return FilePath(text: ".", faults: faults) }
        return FilePath(bytes: end == 0 ? [slash] : bytes[..<end], faults: faults)
    }

    /// The bytes of the path.
    package var bytes: ArraySlice<UInt8> { characters.dropLast() }
}

extension FilePath {
    /// Returns the status of the item, or `nil` if it does not exist.
    package func status() throws(SystemError) -> FileStatus? {
        do {
            return try FileStatus(of: self)
        } catch let error where error.isMissing {
            return nil
        }
    }

    /// Moves the file or folder to `path`, replacing what is there.
    package func move(to path: FilePath) throws(SystemError) {
        unsafe try call(.move) { old in unsafe path.withCharacters { unsafe rename(old, $0) } }
        faults?.note(.move(from: self, to: path))
    }

    /// Removes the file.
    package func remove() throws(SystemError) {
        unsafe try call(.remove) { unsafe unlink($0) }
        faults?.note(.remove(path: self))
    }

    /// Removes the folder if it is empty.
    package func removeFolder() throws(SystemError) {
        unsafe try call(.remove) { unsafe rmdir($0) }
        faults?.note(.removeFolder(path: self))
    }

    /// Creates the folder, accessible only to its owner, and any missing parent folders.
    package func makeFolder() throws(SystemError) {
        var missing: [FilePath] = []
        var next = self
        while try !next.makeOneFolder() {
            missing.append(next)
            next = next.folder
            guard next.characters != missing.last?.characters else { throw SystemError(code: ENOENT) }
        }
        for path in missing.reversed() {
            guard try path.makeOneFolder() else { throw SystemError(code: ENOENT) }
        }
    }

    /// Whether the path leads to a folder, possibly through symbolic links.
    package var isFolder: Bool { (try? FileStatus(of: self, followsLinks: true))?.kind == .folder }

    /// Creates the folder, accessible only to its owner, unless it exists. Returns `false` if its parent folder does not
    /// exist.
    package func makeOneFolder() throws(SystemError) -> Bool {
        do {
            unsafe try call(.makeFolder) { unsafe mkdir($0, 0o700) }
            faults?.note(.makeFolder(path: self))
        } catch let error where error.code == ENOENT {
            return false
        } catch let error where error.alreadyExists {
            guard isFolder else { throw SystemError(code: ENOTDIR) }
        }
        return true
    }

    /// Returns the result of `body`, a system call with the path, which is repeated while signals interrupt it.
    @discardableResult
    func call(_ operation: FileOperation, _ body: (UnsafePointer<CChar>) -> Int32) throws(SystemError) -> Int32 {
        try SystemError.check(operation, faults) { _ in unsafe withCharacters { unsafe body($0) } }
    }

    private func withCharacters<Result>(_ body: (UnsafePointer<CChar>) -> Result) -> Result {
        func pass(_ start: UnsafeRawPointer) -> Result { unsafe body(start.assumingMemoryBound(to: CChar.self)) }
        return unsafe pass(characters)
    }
}

extension FilePath {
    /// Returns the names in the folder in any order; none if the folder does not exist.
    package func names() throws(SystemError) -> [String] {
        var folder: FolderHandle?
        do {
            unsafe try call(.list) { path in
                unsafe folder = opendir(path)
                return unsafe folder == nil ? -1 : 0
            }
        } catch let error where error.isMissing {
            return []
        }
        guard let folder = unsafe folder else { return [] }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        // Distinguishes the end from an error.
        errno = 0
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw SystemError(code: errno) }
        return names
    }
}

#if canImport(Darwin)
    private typealias FolderHandle = UnsafeMutablePointer<DIR>
#else
    private typealias FolderHandle = OpaquePointer
#endif
