public import DarkroomCore
import DarkroomFiles
public import DarkroomPlatform

/// Loads `file:` URLs: whole regular files on this machine, read on threads of its own.
///
/// Directories, devices, sockets and pipes are refused, because reading them may never end. Cached results of a file
/// are valid only while its device, inode, size and modification time stay the same.
public struct FileLoader: ImageLoader {
    private let executor: WorkExecutor

    /// Creates a loader that reads on `executor`; the default reads two files at once.
    public init(executor: WorkExecutor = WorkExecutor(name: "files", width: 2)) { self.executor = executor }

    /// Returns whether `url` has the scheme `file`.
    public func canLoad(_ url: URL) -> Bool { url.scheme?.equalsIgnoringASCIICase("file") == true }

    /// Returns all bytes at once.
    ///
    /// - Throws: An error of kind `invalidURL` if there is no such file, of kind `busy` if no more files can be opened, and of
    ///   kind `refused` if it is not readable or not a regular file.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        let path = try FilePath(request.url)
        let byteLimit = request.context.limits.encodedByteCount
        let data = try await executor.runUnlessCancelled { cancellation in
            try OpenFile(path).contents(byteLimit: byteLimit, cancellation)
        }
        return LoadResponse(.data(data))
    }

    /// Returns the device, inode, size and modification time. For a missing file the version is unique, so that it
    /// never matches.
    public func localVersion(of url: URL) -> String? {
        guard let path = try? FilePath(url), let status = try? FileStatus(of: path, followsLinks: true) else {
            return "missing:\(UUID().uuidString)"
        }
        return status.version
    }

    /// Returns `false`: a missing or broken file may be complete a moment later, and checking again is cheap.
    public func remembers(_ error: ImageError) -> Bool { false }
}
