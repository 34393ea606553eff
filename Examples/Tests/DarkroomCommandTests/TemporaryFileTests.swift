#if canImport(Glibc)
    import Console
    import DarkroomTestKit
    import Foundation
    import Glibc
    import Testing

    /// Files that cannot be written.
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
    }

    private func openFileCount() throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
#endif
