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

    /// Writes `data` to `path` atomically, replacing an existing file. A device or a pipe is written to directly.
    package static func write(_ data: Data, to path: String) throws(SystemError) {
        guard !FileDescriptor.isSpecial(path) else {
            let file = try FileDescriptor(overwriting: path)
            try file.write(data)
            return try file.close()
        }
        let temporary = "\(path).\(UInt64.random(in: 0 ... .max).hexadecimal).part"
        let file = try paths.withLock { paths throws(SystemError) in
            let file = try FileDescriptor(creating: temporary)
            paths.insert(temporary)
            return file
        }
        do {
            try file.write(data)
            try file.close()
            try move(temporary, to: path)
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
