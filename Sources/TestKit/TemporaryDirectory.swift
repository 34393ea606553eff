public import DarkroomPlatform

/// A new directory for one test. It is removed with its contents when the last reference to this object goes away.
public final class TemporaryDirectory: Sendable {
    /// The location of the directory.
    public let url: URL

    /// Creates an empty directory with a unique name.
    public init() throws {
        url = FileManager.default.temporaryDirectory.appending(path: "darkroom-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    /// Writes a file, and returns its location.
    @discardableResult
    public func write(_ data: Data, to name: String) throws -> URL {
        let file = url.appending(path: name)
        try data.write(to: file)
        return file
    }
}

/// Creates a directory with a unique name, runs `body` with its location, and removes it with its contents.
public func withTemporaryDirectory<Result>(_ body: (URL) async throws -> Result) async throws -> Result {
    let directory = try TemporaryDirectory()
    defer { withExtendedLifetime(directory) {} }
    return try await body(directory.url)
}
