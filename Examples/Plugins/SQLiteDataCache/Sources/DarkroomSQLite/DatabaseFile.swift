import DarkroomCore
import Dispatch
import Foundation
import GRDB
import Synchronization

/// The database of a cache, which is replaced if it turns out to be damaged.
final class DatabaseFile: Sendable {
    private let path: URL
    /// The open database; `nil` while it is being replaced.
    private let pool: Mutex<DatabasePool?>
    /// The queue on which files are moved and opened, which blocks.
    private let queue = DispatchQueue(label: "darkroom.sqlite")

    /// Opens or creates the database in `directory`.
    init(_ directory: URL) throws(ImageError) {
        let path = directory.appending(path: "images.sqlite")
        self.path = path
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            pool = Mutex(try Self.openOrReplace(path))
        } catch {
            throw ImageError(
                .internal, .cache, "a database cannot be created in the folder \(directory.path())", underlying: error)
        }
    }

    /// Runs `body` with the database. If it reports damage, calls `onDamage` and runs it again with a new database.
    func use<Result: Sendable>(
        onDamage: () -> Void, _ body: (DatabasePool) async throws -> Result
    ) async throws -> Result {
        let current = try open()
        do {
            return try await body(current)
        } catch let error as DatabaseError where error.isDamage {
            await replace(current)
            onDamage()
            return try await body(open())
        }
    }

    private func open() throws(ImageError) -> DatabasePool {
        guard let pool = pool.withLock({ $0 }) else {
            throw ImageError(.corrupt, .cache, "the damaged database is being replaced")
        }
        return pool
    }

    private func replace(_ damaged: DatabasePool) async {
        let isOurs = pool.withLock { pool in
            guard pool === damaged else { return false }
            pool = nil
            return true
        }
        guard isOurs else { return }
        await withCheckedContinuation { continuation in
            queue.async { [self] in
                try? damaged.close()
                let new = try? Self.replaced(path)
                // If the replacement fails too, the damaged database stays in use, and keeps reporting its error.
                pool.withLock { $0 = new ?? damaged }
                continuation.resume()
            }
        }
    }

    private static func openOrReplace(_ path: URL) throws -> DatabasePool {
        do {
            return try open(path)
        } catch let error as DatabaseError where error.isDamage || error.resultCode == .SQLITE_ERROR {
            // The second code means that a table with this name has different columns.
            return try replaced(path)
        }
    }

    private static func replaced(_ path: URL) throws -> DatabasePool {
        let aside = path.appendingPathExtension("damaged")
        try? FileManager.default.removeItem(at: aside)
        try FileManager.default.moveItem(at: path, to: aside)
        for suffix in ["-wal", "-shm"] {
            try? FileManager.default.removeItem(atPath: path.path(percentEncoded: false) + suffix)
        }
        return try open(path)
    }

    private static func open(_ path: URL) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.prepareDatabase { database in
            // A power failure may lose the latest entries, but does not corrupt the database.
            try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON")
        }
        let pool = try DatabasePool(path: path.path(percentEncoded: false), configuration: configuration)
        try pool.write(EntryRecord.prepare)
        return pool
    }
}

extension DatabaseError {
    /// Whether the error means that the file is not a valid database.
    fileprivate var isDamage: Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT].contains(resultCode)
    }
}
