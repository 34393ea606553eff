import ArgumentParser
import Darkroom
import DarkroomTestKit
import Foundation
import Testing

@testable import DarkroomCommand

/// The commands that fill a cache which can store nothing.
@Suite(.bounded)
struct UnfilledCacheTests {
    /// Root may write anywhere, so another user runs the commands then.
    @Test func folderThatMayOnlyBeReadIsAnError() async throws {
        let folder = try TemporaryDirectory()
        let cache = folder.url.appending(path: "cache")
        try await DiskDataCache(directory: cache).waitForOpeningScan()
        let picture = try Data(contentsOf: URL(filePath: Fixture.path("png-1x1.png"))).base64EncodedString()
        try setPermissions(0o755, of: folder.url)
        try setPermissions(0o444, of: cache.appending(path: "darkroom-usage"))
        try setPermissions(0o555, of: cache)
        defer { try? setPermissions(0o755, of: cache) }
        await #expect(processExitsWith: .success) {
            [path = cache.path as String, picture = "data:image/png;base64,\(picture)" as String] in
            if geteuid() == 0 { try #require(setegid(65534) == 0 && seteuid(65534) == 0) }
            // The leak sanitizer must be permitted to trace the process at its end.
            defer { if getuid() == 0 { _ = (seteuid(0), setegid(0)) } }
            for arguments in [["prefetch", "/dev/null"], ["cache", "warm", picture]] {
                let status = try await Self.status(of: arguments + ["--cache", path])
                try #require(status == ExitStatus.failure)
            }
        }
    }

    /// Runs a command in this process, and returns its exit status.
    private static func status(of arguments: [String]) async throws -> Int32 {
        var command = try #require(try RootCommand.parseAsRoot(arguments) as? any AsyncParsableCommand)
        do {
            try await command.run()
            return 0
        } catch let status as ExitCode {
            return status.rawValue
        }
    }

    private func setPermissions(_ permissions: Int, of item: URL) throws {
        try FileManager.default.setAttributes([.posixPermissions: permissions], ofItemAtPath: item.path)
    }

    /// A limit on the sizes of files lets the store fail like a full disk.
    @Test(arguments: ["prefetch list", "cache warm noise.png"])
    func failedStoreIsAnError(command: String) async throws {
        try await withTemporaryDirectory { folder in
            let cache = folder.appending(path: "cache")
            // The file that counts entries exists then, and the limit permits to change its first part.
            try await DiskDataCache(directory: cache).waitForOpeningScan()
            try Self.noise().write(to: folder.appending(path: "noise.png"))
            try Data("noise.png\n".utf8).write(to: folder.appending(path: "list"))
            let run = try await bash(
                """
                cd '\(folder.path)'
                ulimit -f 100
                trap '' XFSZ
                '\(Process.built("darkroom").path)' \(command) --transform flip:h --cache '\(cache.path)'
                """)
            #expect(run.status == 1)
            #expect(run.errors.contains("the disk cache at \(cache.path) cannot be used: File too large"))
            #expect(try await darkroom("cache", "ls", "--cache", cache.path).lines.isEmpty)
        }
    }

    /// Returns a picture that takes several hundred kilobytes in any format.
    private static func noise() throws -> Data {
        var random = SeededGenerator(seed: 1)
        let bitmap = try Bitmap(PixelSize(700, 600), hasAlpha: false) { pixels in
            for index in pixels.indices {
                pixels[index] = index % 4 == 3 ? 255 : UInt8.random(in: 0...255, using: &random)
            }
        }
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        return try PNGCoder.registry.encode(image, as: .png)
    }
}
