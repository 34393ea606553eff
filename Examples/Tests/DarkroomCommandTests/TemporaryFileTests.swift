#if canImport(Glibc)
    import Console
    import DarkroomTestKit
    import Foundation
    import Glibc
    import Testing

    /// Files that are replaced, and files that cannot be written.
    struct TemporaryFileTests {
        /// A limit on file sizes fails in the middle of a write, like a full disk.
        @Test func failedWritesLeaveNothingOpen() async throws {
            try await withTemporaryDirectory { folder in
                await #expect(processExitsWith: .success) { [path = folder.path as String] in
                    signal(SIGXFSZ, SIG_IGN)
                    var limit = rlimit()
                    unsafe getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                    limit.rlim_cur = 100_000
                    unsafe setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
                    let before = try openFileCount()
                    for target in ["\(path)/a.png", "/dev/full"] {
                        for _ in 0..<100 {
                            #expect(throws: SystemError.self) {
                                try TemporaryFile.write(Data(count: 200_000), to: target)
                            }
                        }
                    }
                    // The test itself may open a few.
                    #expect(try openFileCount() < before + 50)
                }
                let names = try folder.names
                #expect(names.isEmpty)
            }
        }

        @Test func relativePathIsReplacedBelowAFolderThatMayNotBeEntered() async throws {
            try await withTemporaryDirectory { folder in
                let (parent, current) = (folder.appending(path: "a"), folder.appending(path: "a/b"))
                try FileManager.default.createDirectory(at: current, withIntermediateDirectories: true)
                let file = current.appending(path: "a.png")
                try Data([1]).write(to: file)
                try #require(unsafe chmod(file.path, 0o666) == 0)
                try #require(unsafe chmod(current.path, 0o777) == 0)
                defer { unsafe chmod(parent.path, 0o755) }
                await #expect(processExitsWith: .success) {
                    [parent = parent.path as String, current = current.path as String] in
                    try #require(FileManager.default.changeCurrentDirectoryPath(current))
                    try #require(unsafe chmod(parent, 0) == 0)
                    try giveUpRoot()
                    defer { takeRootBack() }
                    try #require(!FileManager.default.fileExists(atPath: current))
                    try TemporaryFile.write(Data([2]), to: "a.png")
                }
                try #require(unsafe chmod(parent.path, 0o755) == 0)
                #expect(try Data(contentsOf: file) == Data([2]))
                #expect(try current.names == ["a.png"])
            }
        }

        @Test func errorNamesTheTargetOfALinkIntoAFolderThatIsNotWritable() async throws {
            try await withTemporaryDirectory { folder in
                let (target, link) = (folder.appending(path: "originals/b.png"), folder.appending(path: "a.png"))
                let originals = target.deletingLastPathComponent().path
                try FileManager.default.createDirectory(atPath: originals, withIntermediateDirectories: true)
                try Data([1]).write(to: target)
                try FileManager.default.createSymbolicLink(
                    atPath: link.path, withDestinationPath: "originals/b.png")
                try #require(unsafe chmod(target.path, 0o666) == 0)
                try #require(unsafe chmod(originals, 0o555) == 0)
                try #require(unsafe chmod(folder.path, 0o755) == 0)
                defer { unsafe chmod(originals, 0o755) }
                await #expect(processExitsWith: .success) { [link = link.path as String] in
                    try giveUpRoot()
                    defer { takeRootBack() }
                    let error = #expect(throws: SystemError.self) { try TemporaryFile.write(Data([2]), to: link) }
                    let message = error?.description ?? ""
                    try #require(message.hasPrefix("no file can be created beside /"), "\(message)")
                    try #require(
                        message.hasSuffix("/originals/b.png, to which it links: Permission denied"), "\(message)")
                }
                #expect(try Data(contentsOf: target) == Data([1]))
            }
        }
    }

    /// Continues as another user if the process is root's, which may enter and write any folder.
    private func giveUpRoot() throws {
        guard geteuid() == 0 else { return }
        try #require(setegid(65534) == 0 && seteuid(65534) == 0)
    }

    /// Continues as root again if the process was root's: the leak sanitizer must be permitted to trace it at its end.
    private func takeRootBack() {
        guard getuid() == 0 else { return }
        _ = (seteuid(0), setegid(0))
    }

    private func openFileCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
#endif
