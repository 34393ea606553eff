import FoundationEssentials

/// A folder that exists for the duration of a closure.
struct TemporaryFolder {
    let url: URL

    static func with(_ body: (TemporaryFolder) async throws -> Void) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: "darkroom-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(TemporaryFolder(url: url))
    }

    /// Writes a file, and returns its URL.
    @discardableResult
    func file(_ name: String, _ data: Data) throws -> URL {
        let file = url.appending(component: name)
        try data.write(to: file)
        return file
    }
}
