import DarkroomCore
import Dispatch
import Foundation
import GRDB
import Synchronization

/// The database of a cache, which is replaced when it turns out to be damaged.
final class DatabaseFile: Sendable {
    private let path: URL
    /// `nil` while it is being replaced.
    private let pool: Mutex<DatabasePool?>
    /// Where files are moved and opened, which blocks.
    private let queue = DispatchQueue(label: "darkroom.sqlite")

    /// Opens the database in `directory`, or makes it.
    init(_ directory: URL) throws(ImageError) {
        let path = directory.appending(path: "pictures.sqlite")
        self.path = path
        do {
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            pool = Mutex(try Self.openOrReplace(path))
        } catch {
            throw ImageError(
                .internal, .cache, "the folder \(directory.path()) cannot hold a database", underlying: error)
        }
    }

    /// Lends the database to `body`, and when that finds it damaged, calls `onDamage` and lends it a new one.
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
            throw ImageError(.corrupt, .cache, "the database was damaged, and is being begun anew")
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
                // If not even that works, the damaged one goes on telling what is wrong.
                pool.withLock { $0 = new ?? damaged }
                continuation.resume()
            }
        }
    }

    private static func openOrReplace(_ path: URL) throws -> DatabasePool {
        do {
            return try open(path)
        } catch let error as DatabaseError where error.isDamage || error.resultCode == .SQLITE_ERROR {
            // The second: a table of this name has other columns.
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
            // A power failure may take the last entries, and leaves the database whole.
            try database.execute(sql: "PRAGMA synchronous = NORMAL; PRAGMA cell_size_check = ON")
        }
        let pool = try DatabasePool(path: path.path(percentEncoded: false), configuration: configuration)
        try pool.write(EntryRecord.prepare)
        return pool
    }
}

extension DatabaseError {
    /// Whether the file is no database any more.
    fileprivate var isDamage: Bool {
        [.SQLITE_CORRUPT, .SQLITE_NOTADB, .SQLITE_FORMAT].contains(resultCode)
    }
}
