public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Plain pictures that came with the app, or that somebody else put somewhere; nothing here ever changes them.
///
/// Nothing is known about them but their bytes, so that they are fresh for ever. Storing and removing do nothing. Put it
/// behind a disk cache with a `TieredDataCache`: what the disk does not have is then looked for here before it is loaded.
public struct BundleDataCache: DataCache {
    private let byteLimit: Int
    private let paths: @Sendable (CacheKey) -> [FilePath]
    private let executor = WorkExecutor(name: "bundle-cache", width: 2)

    /// The pictures in `directories`, in that order, each named `CacheKey.fileName` or the same without extension.
    ///
    /// One that is longer than `byteLimit` is a miss.
    public init(directories: [URL], byteLimit: Int = 128 << 20) {
        let folders = directories.map { FilePath(text: $0.path) }
        self.init(byteLimit: byteLimit) { key in
            let name = EntryName(key)
            return folders.flatMap { [$0.appending(name.fileName), $0.appending(name.digest)] }
        }
    }

    /// The pictures where `url` says; with `nil`, there is none of that key.
    public init(byteLimit: Int = 128 << 20, url: @escaping @Sendable (CacheKey) -> URL?) {
        self.init(byteLimit: byteLimit) { key in url(key).map { [FilePath(text: $0.path)] } ?? [] }
    }

    private init(byteLimit: Int, paths: @escaping @Sendable (CacheKey) -> [FilePath]) {
        self.byteLimit = byteLimit
        self.paths = paths
    }

    /// The picture of `key`; `nil` when there is none that can be read.
    public func entry(for key: CacheKey) async throws -> DataEntry? {
        try await firstFile(of: key) { try? DataEntry(pictureIn: $0) }
    }

    /// Whether there is a picture of `key`; it is not read.
    public func contains(_ key: CacheKey) async throws -> Bool { try await firstFile(of: key) { _ in true } ?? false }

    /// Does nothing.
    public func store(_ entry: DataEntry, for key: CacheKey) async throws {}

    /// Does nothing.
    public func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {}

    /// Does nothing.
    public func remove(_ key: CacheKey) async throws {}

    /// Does nothing.
    public func removeAll(ofSource source: String) async throws {}

    /// Does nothing.
    public func removeAll() async throws {}

    /// What `body` makes of the first file of `key` that can be opened and read.
    private func firstFile<Result: Sendable>(
        of key: CacheKey, _ body: @escaping @Sendable (OpenEntry) -> Result?
    ) async throws -> Result? {
        try await executor.runWhileAwaited {
            paths(key).lazy.compactMap { path in
                guard let file = try? OpenEntry(path), file.status.isRegular, file.status.byteCount <= byteLimit
                else { return nil }
                return body(file)
            }.first
        }
    }
}

extension DataEntry {
    fileprivate init(pictureIn file: OpenEntry) throws {
        self.init(try file.bytes(), metadata: .init(storedAt: Date(file.status.modificationTime)))
    }
}
