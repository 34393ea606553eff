import Synchronization

#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A file that is written beside its destination and then renamed, so that partial output is never visible.
package enum TemporaryFile {
    // Renaming and removing require the lock, so that an interruption leaves either the complete file or nothing.
    private static let paths = Mutex<Set<String>>([])

    /// Writes `data` to `path` atomically. It replaces an existing file, whose permissions are kept, and which is the target
    /// if `path` is a link. A device or a pipe is written to directly.
    package static func write(_ data: Data, to path: String) throws(SystemError) {
        guard !FileDescriptor.isSpecial(path) else {
            return try FileDescriptor(overwriting: path).finish(with: data)
        }
        let replaced = try ReplacedFile(at: path)
        let target = replaced?.path ?? path
        let temporary = "\(target).\(UInt64.random(in: 0 ... .max).hexadecimal).part"
        let file = try paths.withLock { paths throws(SystemError) in
            let file = try create(temporary, replacing: replaced)
            paths.insert(temporary)
            return file
        }
        do {
            try file.finish(with: data, replacing: replaced)
            try move(temporary, to: target)
        } catch {
            remove(temporary)
            throw error
        }
    }

    /// Removes all temporary files, and then calls `end`. While it runs, none can be created or renamed.
    package static func removeAll(andThen end: () -> Never) -> Never {
        paths.withLock { paths in
            for path in paths { unsafe unlink(path.systemPath) }
            end()
        }
    }

    private static func create(_ path: String, replacing file: ReplacedFile?) throws(SystemError) -> FileDescriptor {
        do throws(SystemError) {
            // Other users may not read it before it has the permissions of the replaced file.
            return try FileDescriptor(creating: path, mode: file == nil ? 0o666 : 0o600)
        } catch {
            guard let file, file.isLinked else { throw error }
            var failure = error
            failure.operation = "no file can be created beside \(file.path), to which it links"
            throw failure
        }
    }

    private static func move(_ temporary: String, to path: String) throws(SystemError) {
        try paths.withLock { paths throws(SystemError) in
            guard unsafe rename(temporary.systemPath, path.systemPath) == 0 else { throw SystemError() }
            paths.remove(temporary)
        }
    }

    private static func remove(_ temporary: String) {
        paths.withLock { paths in
            unsafe unlink(temporary.systemPath)
            paths.remove(temporary)
        }
    }
}

extension UInt64 {
    fileprivate var hexadecimal: String { String(self, radix: 16) }
}
