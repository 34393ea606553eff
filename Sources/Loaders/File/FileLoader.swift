public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Loads `file:` URLs: whole regular files of this machine, read on threads of its own.
///
/// Directories, devices, sockets and pipes are refused, because reading them may never end.
/// What was made of a file counts only while device, inode, size and modification time stay the same.
public struct FileLoader: ImageLoader {
    private let executor: WorkExecutor

    /// A loader that reads on `executor`; the default reads two files at once.
    public init(executor: WorkExecutor = WorkExecutor(name: "files", width: 2)) { self.executor = executor }

    /// Whether it is a `file:` URL.
    public func canLoad(_ url: URL) -> Bool { url.scheme?.asciiLowercased == "file" }

    /// All bytes at once. A file that is not there is an error of kind `invalidURL`; one that may not be read, or is no
    /// regular file, of kind `refused`.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        let path = try FilePath(request.url)
        let byteLimit = request.context.limits.encodedByteCount
        let cancellation = CancellationFlag()
        return try await withTaskCancellationHandler {
            let data = try await executor.run {
                try cancellation.check()
                return try OpenFile(path).contents(byteLimit: byteLimit, cancellation)
            }
            return LoadResponse(.data(data))
        } onCancel: {
            cancellation.set()
        }
    }

    /// Device, inode, size and modification time. For a file that is not there, something that is never said twice.
    public func localVersion(of url: URL) -> String? {
        guard let path = try? FilePath(url), let status = try? FileStatus(of: path) else {
            return "missing:\(UUID().uuidString)"
        }
        return status.version
    }

    /// Nothing: a file that is missing or broken may be there and whole the next moment, and looking costs little.
    public func remembers(_ error: ImageError) -> Bool { false }
}
