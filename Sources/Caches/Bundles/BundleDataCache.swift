public import DarkroomCore
import DarkroomFiles
public import DarkroomPlatform

/// A read-only cache of image files that were bundled with the app or provided in another way.
///
/// The files have no metadata, so they are always fresh. Storing and removing do nothing. Place it behind a disk cache
/// in a `TieredDataCache`: an image that is not on disk is then looked up here before it is loaded.
public struct BundleDataCache: DataCache {
    private let byteLimit: Int
    private let paths: @Sendable (CacheKey) -> [FilePath]
    private let executor = WorkExecutor(name: "bundle-cache", width: 2)
    private let watch = HangWatch()

    /// Creates a cache of the files in `directories`, searched in order. Each file is named `CacheKey.fileName`, with
    /// or without extension.
    ///
    /// A file of more than `byteLimit` bytes is a miss.
    public init(directories: [URL], byteLimit: Int = 128 << 20) {
        let folders = directories.map { FilePath(text: $0.path) }
        self.init(byteLimit: byteLimit) { key in
            let name = EntryName(key)
            return folders.flatMap { [$0.appending(name.fileName), $0.appending(name.digest)] }
        }
    }

    /// Creates a cache of the files at the URLs that `url` returns; `nil` means that there is no file for the key.
    public init(byteLimit: Int = 128 << 20, url: @escaping @Sendable (CacheKey) -> URL?) {
        self.init(byteLimit: byteLimit) { key in url(key).map { [FilePath(text: $0.path)] } ?? [] }
    }

    private init(byteLimit: Int, paths: @escaping @Sendable (CacheKey) -> [FilePath]) {
        self.byteLimit = byteLimit
        self.paths = paths
    }

    /// Returns the file of `key`, or `nil` if there is no readable one. It throws if its disk hangs for several seconds.
    public func entry(for key: CacheKey) async throws -> DataEntry? {
        try await EntryReading.result { memory in
            try await firstFile(of: key) { file in
                let byteCount = file.status.byteCount
                guard memory.reserveNow(byteCount) else { return .lacksMemory(byteCount: byteCount) }
                return (try? DataEntry(imageIn: file)).map { .finished($0) }
            } ?? .finished(nil)
        }
    }

    /// Returns whether there is a file of `key`, without reading it.
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

    /// Returns the result of `body` for the first file of `key` that can be opened and read.
    private func firstFile<Result: Sendable>(
        of key: CacheKey, _ body: @escaping @Sendable (OpenEntry) -> Result?
    ) async throws -> Result? {
        do {
            return try await executor.runUnlessCancelled(watchedBy: watch) { _ in
                for path in paths(key) {
                    guard let file = try? OpenEntry(path), file.status.isRegular, file.status.byteCount <= byteLimit
                    else { continue }
                    if let result = body(file) { return result }
                }
                return nil
            }
        } catch let hang as HangWatch.Hang {
            throw ImageError(.timedOut, .cache, "the folder of files cannot be read now: \(hang)", underlying: hang)
        }
    }
}

extension DataEntry {
    fileprivate init(imageIn file: OpenEntry) throws {
        self.init(try file.bytes(), metadata: .init(storedAt: Date(file.status.modificationTime)))
    }
}
