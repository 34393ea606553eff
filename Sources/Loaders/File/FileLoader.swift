public import DarkroomCore
import DarkroomFiles
public import DarkroomPlatform

/// Loads `file:` URLs: whole regular files on this machine, read on threads of its own.
///
/// Directories, devices, sockets and pipes are refused, because reading them may never end. Cached results of a file
/// are valid only while its device, inode, size and modification time stay the same.
///
/// If a file system does not answer for half a minute, such as one on a network, all loads of its files fail until it does.
/// Those of others go on, unless a link leads to it from them.
public struct FileLoader: ImageLoader {
    /// The content of a file, or its size.
    private enum Reading: Sendable {
        case data(Data)
        case larger(byteCount: Int)
    }

    private let disks: Disks
    private let faults: FileFaults?

    /// Creates a loader that reads two files of each file system at once.
    public init() { self.init(disks: Disks(), faults: nil) }

    /// Creates a loader that reads all files on `executor`. One file system that does not answer then stops all.
    public init(executor: WorkExecutor) {
        let disk = Disk(files: executor)
        self.init(disks: Disks(readTable: { nil }, makeDisk: { disk }), faults: nil)
    }

    init(disks: Disks, faults: FileFaults?) { (self.disks, self.faults) = (disks, faults) }

    /// Returns whether `url` has the scheme `file`.
    public func canLoad(_ url: URL) -> Bool { url.scheme?.equalsIgnoringASCIICase("file") == true }

    /// Returns all bytes at once. Those of a large file are read when the memory budget has room for them.
    ///
    /// - Throws: An error of kind `invalidURL` if there is no such file, of kind `busy` if no more files can be opened, of
    ///   kind `timedOut` if a file system does not answer, and of kind `refused` if it is not readable or not a regular file.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        let path = try FilePath(request.url, faults: faults)
        var room = MemoryBudget.smallReadByteCount
        do {
            while true {
                switch try await read(path, for: request, room: room) {
                case .data(let data): return LoadResponse(.data(data))
                case .larger(let byteCount):
                    try await request.reserveMemory(for: byteCount)
                    room = .max
                }
            }
        } catch let hang as HangWatch.Hang {
            throw ImageError(.timedOut, .load, "\(path.text) cannot be read now: \(hang)", underlying: hang)
        }
    }

    /// Reads the file at `path`, unless it has more than `room` bytes.
    private func read(_ path: FilePath, for request: LoadRequest, room: Int) async throws -> Reading {
        let (disk, byteLimit) = (try await disks.disk(of: path), request.context.limits.encodedByteCount)
        let progress = HangWatch.Progress()
        return try await disk.files.runUnlessCancelled(watchedBy: disk.watch, progress: progress) { cancellation in
            let file = try OpenFile(path, byteLimit: byteLimit)
            let byteCount = file.status.byteCount
            guard byteCount <= room else { return .larger(byteCount: byteCount) }
            return .data(try file.contents(cancellation) { progress.note() })
        }
    }

    /// Returns the device, inode, size and modification time. For a missing file the version is unique, so that it
    /// never matches.
    public func localVersion(of url: URL) -> LocalVersion? {
        LocalVersion {
            Self.version(of: try? FilePath(url, faults: faults))
        } elsewhere: {
            guard let path = try? FilePath(url, faults: faults) else { return Self.version(of: nil) }
            let disk = try await disks.disk(of: path)
            return try await disk.versions.run(watchedBy: disk.watch) { Self.version(of: path) }
        }
    }

    private static func version(of path: FilePath?) -> String {
        let status = path.flatMap { try? FileStatus(of: $0, followsLinks: true) }
        return status?.version ?? "missing:\(UUID().uuidString)"
    }

    /// Returns `false`: a missing or broken file may be complete a moment later, and checking again is cheap.
    public func remembers(_ error: ImageError) -> Bool { false }
}
