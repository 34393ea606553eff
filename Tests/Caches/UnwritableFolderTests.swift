import DarkroomFiles

#if canImport(Glibc)
    import DarkroomCore
    import DarkroomTestKit
    import FoundationEssentials
    import Glibc
    import TestSupport
    import Testing

    @testable import DarkroomCaches

    /// Tests folders that the system itself does not let the process write. `ReadOnlyFolderTests` injects such failures.
    @Suite(.bounded) struct UnwritableFolderTests {
        private let folder: TemporaryDirectory
        private var path: String { folder.url.appending(path: "cache").path }

        init() async throws {
            folder = try TemporaryDirectory()
            let cache = try DiskDataCache(directory: folder.url.appending(path: "cache"))
            for (index, key) in (["a", "b", "c"] as [CacheKey]).enumerated() {
                try await cache.store(DataEntry(Data([UInt8(index)])), for: key)
            }
            await cache.waitForOpeningScan()
        }

        /// The permissions refuse to write. Root ignores them, so another user reads then.
        @Test func folderWithoutWritePermissionIsRead() async throws {
            try setPermissions(folders: 0o555, files: 0o444)
            defer { try? setPermissions(folders: 0o755, files: 0o644) }
            let before = try folder.contents()
            await #expect(processExitsWith: .success) { [path = path as String] in
                try Restriction.giveUpRoot()
                defer { Restriction.takeRootBack() }
                try #require(Restriction.errorOfCreating(path + "/file") == EACCES)
                try await Self.checkReading(path)
            }
            #expect(try folder.contents() == before)
        }

        @Test func unreadableCountsAreAnError() async throws {
            try setPermissions(folders: 0o555, files: 0o444)
            defer { try? setPermissions(folders: 0o755, files: 0o644) }
            try #require(unsafe chmod(path + "/darkroom-usage", 0) == 0)
            await #expect(processExitsWith: .success) { [path = path as String] in
                try Restriction.giveUpRoot()
                defer { Restriction.takeRootBack() }
                let error = #expect(throws: ImageError.self) {
                    try DiskDataCache(directory: URL(filePath: path, directoryHint: .isDirectory))
                }
                try #require(error?.message.contains("\(path) cannot be used: Permission denied") == true)
            }
        }

        private static func checkReading(_ path: String) async throws {
            let reports = Recorder<ImageError>()
            let cache = try DiskDataCache(
                directory: URL(filePath: path, directoryHint: .isDirectory), scanInterval: .zero,
                onFailure: { reports.note($0) })
            await cache.waitForOpeningScan()
            try #require(try await cache.entry(for: "a")?.data == Data([0]))
            try #require(try await cache.contains("b"))
            try #require(try await cache.usage().count == 3)
            let ticket = try await cache.ticket(forSource: "d")
            try #require(ticket.isRefused)
            try await cache.store(DataEntry(Data([9])), for: "d", with: ticket)
            for key: CacheKey in ["a", "d"] {
                do {
                    try await cache.store(DataEntry(Data([9])), for: key)
                    Issue.record("a store succeeded")
                } catch let error as ImageError {
                    try #require((error.underlying as? SystemError)?.code == EACCES)
                }
            }
            try #require(
                reports.values.map(\.message) == ["the disk cache at \(path) can only be read: Permission denied"])
        }

        private func setPermissions(folders: mode_t, files: mode_t) throws {
            try #require(unsafe chmod(folder.url.path, 0o755) == 0)
            try #require(unsafe chmod(path, folders) == 0)
            for name in try FileManager.default.subpathsOfDirectory(atPath: path) {
                let item = FilePath(text: path + "/" + name)
                try #require(unsafe chmod(item.text, item.isFolder ? folders : files) == 0)
            }
        }

        @Test(.enabled(if: PrivateMount.isPermitted, "the process may not mount folders"))
        func readOnlyFileSystemIsRead() async throws {
            await #expect(processExitsWith: .success) { [path = path as String] in
                try Self.readThroughMount(of: path)
            }
        }

        /// Only the calling thread sees the mount, so nothing here suspends.
        private static func readThroughMount(of path: String) throws {
            let view = path + "-view"
            try FilePath(text: view).makeFolder()
            try Restriction.mount(path, at: view)
            try #require(Restriction.errorOfCreating(view + "/file") == EROFS)
            let reports = Recorder<ImageError>()
            let limits = EntryStore.Limits(byteCount: 1 << 30)
            let reader = StoreWorker(
                FilePath(text: view), limits: limits, failures: FailureReports { reports.note($0) })
            try reader.prepare()
            try #require(
                reports.values.map(\.message) == [
                    "the disk cache at \(view) can only be read: Read-only file system"
                ])
            try #require(try reader.store.entry(for: "a")?.data == Data([0]))
            try #require(try reader.store.ticket(forSource: "a").isRefused)
            #expect(throws: ReadOnlyFolder.self) { try reader.store.store(DataEntry(Data([9])), for: "d") }
            #expect(throws: ReadOnlyFolder.self) { try reader.store.remove("a") }
            try #require(try !reader.store.directory.isScanDue(after: .zero))
            try #require(try reader.store.directory.total().count == 3)

            let writer = StoreWorker(FilePath(text: path), limits: limits, failures: FailureReports(nil))
            try writer.prepare()
            try writer.store.removeAll(ofSource: "a")
            try #require(try reader.store.entry(for: "a") == nil)
            try writer.store.store(DataEntry(Data([8])), for: "b")
            try #require(try reader.store.entry(for: "b")?.data == Data([8]))
            _ = try writer.store.directory.beginRemoval()
            try #require(try reader.store.entry(for: "b") == nil && !reader.store.contains("c"))
            #expect(throws: SystemError(code: EROFS)) {
                try EntryDirectory(FilePath(text: view + "/missing")).prepare()
            }
        }
    }

    /// Takes permissions from the process, or from one of its threads.
    private enum Restriction {
        /// Continues as another user if the process is root's.
        static func giveUpRoot() throws {
            guard geteuid() == 0 else { return }
            try #require(setegid(65534) == 0 && seteuid(65534) == 0)
        }

        /// Continues as root again if the process was root's: the leak sanitizer must be permitted to trace it at exit.
        static func takeRootBack() {
            guard getuid() == 0 else { return }
            _ = (seteuid(0), setegid(0))
        }

        /// Returns the error of an attempt to create a file; 0 if there is none.
        static func errorOfCreating(_ path: String) -> Int32 {
            do {
                _ = try FileDescriptor(FilePath(text: path), for: .creating)
                return 0
            } catch {
                return error.code
            }
        }

        /// Makes the folder `source` readable, but not writable, at `target`, for the calling thread.
        static func mount(_ source: String, at target: String) throws {
            try #require(PrivateMount.begin())
            try #require(unsafe Glibc.mount(source, target, nil, UInt(MS_BIND), nil) == 0)
            let flags = UInt(MS_REMOUNT) | UInt(MS_BIND) | UInt(MS_RDONLY)
            try #require(unsafe Glibc.mount(nil, target, nil, flags, nil) == 0)
        }
    }
#endif
