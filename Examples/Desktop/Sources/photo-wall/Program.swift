import CGTK
import Darkroom
import DarkroomGTK
import Foundation
import GeneratedPictures
import PhotoWall

/// The program `photo-wall`: a window with a wall of pictures.
@main
@MainActor
struct Program {
    private let arguments: Arguments
    private let images: MemoryImageCache
    private let manager: ImageManager

    static func main() {
        // Each line appears at once, in a file, too.
        darkroom_write_lines_at_once()
        do {
            let arguments = try Arguments(Array(CommandLine.arguments.dropFirst()))
            try Program(arguments).run()
        } catch {
            FileHandle.standardError.write(Data("photo-wall: \(error)\n\(Arguments.usage)\n".utf8))
            exit(2)
        }
    }

    private init(_ arguments: Arguments) throws {
        self.arguments = arguments
        images = MemoryImageCache(byteLimit: arguments.check == nil ? MemoryImageCache.defaultByteLimit : 64 << 20)
        manager = try ImageManager { [images] in
            $0.install(StandardPlugins())
            $0.imageCache = images
            if let cache = arguments.cache { $0.dataCache = try DiskDataCache(directory: cache) }
            if arguments.check == nil { $0.install(WallMetrics()) }
        }
    }

    private func run() throws {
        guard gtk_init_check() != 0 else { throw ArgumentError("there is no display") }
        MainActorLoop.attach()
        let loop = g_main_loop_new(nil, 0)
        nonisolated(unsafe) let running = loop
        var status: Int32 = 0
        Task {
            do {
                if let folder = arguments.check { try await check(folder) } else { try await show() }
            } catch {
                print("photo-wall: \(error)")
                status = 1
            }
            g_main_loop_quit(running)
        }
        g_main_loop_run(loop)
        exit(status)
    }

    /// Shows the window until it is closed.
    private func show() async throws {
        var urls = arguments.urls
        if urls.isEmpty { urls = try await generatedURLs(.photo, delay: .milliseconds(40)) }
        let wall = PhotoWall(nil, manager: manager, images: images, urls: urls)
        if arguments.isDark { wall.isDark = true }
        await withCheckedContinuation { closed in
            wall.onClose = { closed.resume() }
            wall.present()
        }
        await manager.waitForStores()
    }

    private func check(_ folder: URL) async throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let urls = try await generatedURLs(.coded, delay: .milliseconds(2))
        let check = WallCheck(manager: manager, images: images, urls: urls) { GeneratedPicture.index(codedIn: $0) }
        var failure: (any Error)?
        do { try await check.run() } catch { failure = error }
        let photos = try await generatedURLs(.photo, delay: .milliseconds(40))
        try await ScreenshotTour(manager: manager, images: images, urls: photos, folder: folder).run()
        await manager.waitForStores()
        if let failure { throw failure }
    }

    private func generatedURLs(_ style: GeneratedPicture.Style, delay: Duration) async throws -> [URL] {
        let base = try await WallServer(delay: delay).start()
        return (0..<arguments.count).compactMap { URL(string: base + GeneratedPicture(style, $0).path) }
    }
}
