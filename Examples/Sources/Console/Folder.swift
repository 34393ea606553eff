#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The folders of the file system, whose names need not be valid UTF-8.
package enum Folder {
    /// The current folder of the process; `/` if it has been removed.
    package static var current: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard unsafe getcwd(&buffer, buffer.count) != nil else { return "/" }
        return String(systemBytes: buffer.lazy.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) })
    }

    /// Returns whether there is a folder at `path`.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path.systemPath, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Creates a folder at `path`, and those that contain it, unless they exist.
    package static func create(_ path: String) throws(SystemError) {
        let bytes = path.systemBytes
        for end in bytes.indices.dropFirst() where bytes[end] == UInt8(ascii: "/") {
            // Only the last folder matters: others may exist, and yet be neither readable nor writable.
            _ = unsafe mkdir(String(systemBytes: bytes[..<end]).systemPath, 0o777)
        }
        guard unsafe mkdir(path.systemPath, 0o777) != 0 else { return }
        let error = SystemError()
        guard exists(path) else { throw error }
    }

    /// Returns the names of the files in the folder at `path` in any order; `nil` if it cannot be read.
    package static func names(in path: String) -> [String]? {
        guard let folder = unsafe opendir(path.systemPath) else { return nil }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(systemBytes: bytes.prefix { $0 != 0 })
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
