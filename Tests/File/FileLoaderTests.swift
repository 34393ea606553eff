import DarkroomCore
import DarkroomFile
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import Testing

struct FileLoaderTests {
    private let loader = FileLoader()

    private func data(_ url: URL, context: ImageContext = .init()) async throws -> Data {
        let response = try await loader.load(LoadRequest(url: url, context: context))
        guard case .data(let data) = response.body else { throw ImageError(.internal, .load, "it is not data") }
        return data
    }

    private func expectError(
        _ kind: ImageError.Kind, mentioning text: String = "", at url: URL, context: ImageContext = .init()
    ) async throws {
        let error = try await #require(throws: ImageError.self) { _ = try await data(url, context: context) }
        #expect(error.kind == kind && error.stage == .load, "\(error)")
        #expect(error.message.contains(text), "\(error)")
        #expect(!loader.remembers(error))
    }

    @Test(arguments: [0, 1, 4095, 4096, (1 << 20) - 1, 1 << 20, 3 << 20 + 7])
    func wholeFileIsRead(_ byteCount: Int) async throws {
        let folder = try TemporaryDirectory()
        let content = Data((0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let url = try folder.write(content, to: "picture.png")
        #expect(try await data(url) == content)
    }

    @Test(arguments: ["a b.png", "ä%#?&.png", "100%25.png", "new\nline", "-rf"])
    func nameMayContainAnyCharacter(_ name: String) async throws {
        let folder = try TemporaryDirectory()
        let url = try folder.write(Data([1, 2]), to: name)
        #expect(try await data(url) == Data([1, 2]))
    }

    @Test func nameNeedNotBeUTF8() async throws {
        let folder = try TemporaryDirectory()
        let bytes = Array(folder.url.path.utf8) + [0x2F, 0xFF, 0xFE]
        let descriptor = unsafe open(bytes.map { CChar(bitPattern: $0) } + [0], O_CREAT | O_WRONLY, 0o600)
        close(descriptor)
        let url = try #require(URL(string: "file://\(folder.url.path)/%FF%FE"))
        #expect(try await data(url) == Data())
        #expect(loader.localVersion(of: url)?.read().hasPrefix("missing") == false)
    }

    @Test(arguments: ["file://", "file://localhost", "FILE://LOCALHOST", "file:"])
    func localHostsAreAccepted(_ prefix: String) async throws {
        let folder = try TemporaryDirectory()
        let path = try folder.write(Data([1]), to: "a.png").path
        let url = try #require(URL(string: prefix + path + "?query#fragment"))
        #expect(loader.canLoad(url))
        #expect(try await data(url) == Data([1]))
    }

    @Test(arguments: ["file://elsewhere/etc/hostname", "file:a.png", "file:", "file:///etc/hostname%00.png"])
    func otherFileURLsAreInvalid(_ text: String) async throws {
        let url = try #require(URL(string: text))
        try await expectError(.invalidURL, at: url)
    }

    @Test(arguments: ["http://a/b.png", "data:,a", "b.png", "/b.png"])
    func otherURLsAreLeftToOtherLoaders(_ text: String) throws {
        #expect(!loader.canLoad(try #require(URL(string: text))))
    }

    @Test func errorOfAMissingFileNamesIt() async throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(Data(), to: "a.png")
        let long = String(repeating: "x", count: 300)
        for url in [
            folder.url.appending(path: "b.png"), file.appending(path: "b.png"), folder.url.appending(path: long),
        ] {
            try await expectError(.invalidURL, mentioning: "there is no file at \(url.path)", at: url)
        }
    }

    @Test func linkToItselfIsAMissingFile() async throws {
        let folder = try TemporaryDirectory()
        let url = folder.url.appending(path: "loop")
        #expect(unsafe symlink("loop", url.path) == 0)
        try await expectError(.invalidURL, at: url)
    }

    @Test func linkToAFileIsFollowed() async throws {
        let folder = try TemporaryDirectory()
        let file = try folder.write(Data([7]), to: "a.png")
        let url = folder.url.appending(path: "link.png")
        #expect(unsafe symlink("a.png", url.path) == 0)
        #expect(try await data(url) == Data([7]))
        #expect(loader.localVersion(of: url)?.read() == loader.localVersion(of: file)?.read())
    }

    @Test(.enabled(if: getuid() != 0, "root may read everything"))
    func fileWithoutPermissionIsRefused() async throws {
        let folder = try TemporaryDirectory()
        let url = try folder.write(Data([1]), to: "a.png")
        #expect(unsafe chmod(url.path, 0) == 0)
        try await expectError(.refused, mentioning: "permission", at: url)
    }

    @Test(arguments: ["/", "/tmp", "/dev/zero", "/dev/null", "/dev/tty"])
    func irregularFilesAreRefused(_ path: String) async throws {
        let url = URL(filePath: path)
        let error = try await #require(throws: ImageError.self) { _ = try await data(url) }
        // A process without a terminal cannot open /dev/tty at all.
        #expect(error.kind == .refused || path == "/dev/tty")
    }

    @Test func pipeWithoutAWriterIsRefusedWithoutBlocking() async throws {
        let folder = try TemporaryDirectory()
        let url = folder.url.appending(path: "pipe")
        #expect(unsafe mkfifo(url.path, 0o600) == 0)
        try await expectError(.refused, mentioning: "is a pipe", at: url)
    }

    @Test func fileAboveTheLimitIsRefusedBeforeItIsRead() async throws {
        let folder = try TemporaryDirectory()
        let url = try folder.write(Data(count: 10), to: "a.png")
        let context = ImageContext { $0.limits.encodedByteCount = 9 }
        try await expectError(.overLimit, mentioning: "encodedByteCount is 10", at: url, context: context)
        // A sparse file of a terabyte: reading it, or allocating memory for it, would be noticed.
        #expect(unsafe truncate(url.path, 1 << 40) == 0)
        try await expectError(.overLimit, mentioning: "encodedByteCount is 1099511627776", at: url)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/maps")))
    func fileThatReportsNoSizeIsReadToItsEnd() async throws {
        let url = URL(filePath: "/proc/self/maps")
        #expect(try await data(url).count > 4096)
        let context = ImageContext { $0.limits.encodedByteCount = 100 }
        try await expectError(.overLimit, at: url, context: context)
    }

    @Test func cancelledTaskReadsNothing() async throws {
        let folder = try TemporaryDirectory()
        let url = try folder.write(Data([1]), to: "a.png")
        let task = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            return try await data(url)
        }
        let error = try await #require(throws: ImageError.self) { _ = try await task.value }
        #expect(error.kind == .cancelled)
    }

    #if os(Linux)
        /// The file is not at fault, so trying again later helps.
        @Test func fileIsReadOnceOthersAreClosed() async throws {
            let folder = try TemporaryDirectory()
            let url = try folder.write(Data([1]), to: "a.png")
            await #expect(processExitsWith: .success) { [url = url as URL] in
                let tests = FileLoaderTests()
                let limit = ProcessLimit.openFileCount(0)
                limit.set()
                try await tests.expectError(.busy, mentioning: "a.png cannot be opened now", at: url)
                limit.lift()
                #expect(try await tests.data(url) == Data([1]))
            }
        }
    #endif

    @Test func noDescriptorIsLeaked() async throws {
        let folder = try TemporaryDirectory()
        let url = try folder.write(Data([1]), to: "a.png")
        for _ in 0..<2000 {
            _ = try await data(url)
            _ = try? await data(folder.url)
        }
    }
}
