#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The path of a file or folder.
struct FilePath: Sendable {
    /// The path as text, absolute or relative to the current folder.
    let text: String

    /// The fault injection of tests, inherited by all derived paths.
    let faults: FileFaults?

    init(text: String, faults: FileFaults? = nil) {
        self.text = text
        self.faults = faults
    }

    /// Returns the path of an item in this folder.
    func appending(_ name: String) -> FilePath {
        var path = text
        path.reserveCapacity(text.utf8.count + 1 + name.utf8.count)
        path += "/"
        path += name
        return with(text: path)
    }

    /// Returns the path of an item in a subfolder.
    func appending(_ name: String, inSubfolder folder: String) -> FilePath {
        var path = ""
        path.reserveCapacity(text.utf8.count + folder.utf8.count + name.utf8.count + 2)
        path += text
        path += "/"
        path += folder
        path += "/"
        path += name
        return with(text: path)
    }

    /// The parent folder.
    var folder: FilePath {
        guard let slash = text.utf8.lastIndex(of: UInt8(ascii: "/")) else { return with(text: ".") }
        return with(text: slash == text.startIndex ? "/" : String(text[..<slash]))
    }

    /// Returns the status of the item, or `nil` if it does not exist.
    func status() throws(SystemError) -> FileStatus? {
        do {
            try faults?.check(.status)
            return try FileStatus(ofPath: text)
        } catch let error where error.isMissing {
            return nil
        }
    }

    /// Moves the file or folder to `path`, replacing what is there.
    func move(to path: FilePath) throws(SystemError) {
        try faults?.check(.move)
        unsafe try call { old in unsafe path.text.withCString { unsafe rename(old, $0) } }
    }

    /// Removes the file.
    func remove() throws(SystemError) {
        try faults?.check(.remove)
        unsafe try call { unsafe unlink($0) }
    }

    /// Removes the folder if it is empty.
    func removeFolder() throws(SystemError) {
        try faults?.check(.remove)
        unsafe try call { unsafe rmdir($0) }
    }

    /// Creates the folder, accessible only to its owner, and any missing parent folders.
    func makeFolder() throws(SystemError) {
        var missing: [FilePath] = []
        var next = self
        while try !next.makeOneFolder() {
            missing.append(next)
            next = next.folder
            guard next.text != missing.last?.text else { throw SystemError(code: ENOENT) }
        }
        for path in missing.reversed() {
            guard try path.makeOneFolder() else { throw SystemError(code: ENOENT) }
        }
    }

    /// Whether the path leads to a folder, possibly through symbolic links.
    var isFolder: Bool {
        var status = stat()
        return unsafe stat(text, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Creates the folder, accessible only to its owner, unless it exists. Returns `false` if its parent folder does not
    /// exist.
    func makeOneFolder() throws(SystemError) -> Bool {
        do {
            try faults?.check(.makeFolder)
            unsafe try call { unsafe mkdir($0, 0o700) }
        } catch let error where error.code == ENOENT {
            return false
        } catch let error where error.alreadyExists {
            guard isFolder else { throw SystemError(code: ENOTDIR) }
        }
        return true
    }

    /// Returns the result of `body`, a system call with the path, which is repeated while signals interrupt it. An
    /// implicit conversion would copy the path.
    @discardableResult
    func call(_ body: (UnsafePointer<CChar>) -> Int32) throws(SystemError) -> Int32 {
        try SystemError.check { unsafe text.withCString { unsafe body($0) } }
    }

    private func with(text: String) -> FilePath { FilePath(text: text, faults: faults) }
}

extension FilePath {
    /// Returns the names in the folder in any order; none if the folder does not exist.
    func names() throws(SystemError) -> [String] {
        try faults?.check(.list)
        guard let folder = unsafe opendir(text) else {
            let error = SystemError(code: errno)
            guard error.isMissing else { throw error }
            return []
        }
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
