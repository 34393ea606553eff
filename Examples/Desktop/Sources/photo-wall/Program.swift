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
    /// The memory of the manager and of the pictures in the window.
    private let memoryBudget = MemoryBudget()

    static func main() {
        // Each line appears at once, in a file, too.
        darkroom_write_lines_at_once()
        do {
            if CommandLine.arguments.contains("--help") { return print(Arguments.usage) }
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
        manager = try ImageManager { [images, memoryBudget] in
            $0.install(StandardPlugins())
            $0.imageCache = images
            $0.memoryBudget = memoryBudget
            if let cache = arguments.cache {
                // It may be that of another program, whose limits are not known.
                $0.dataCache = try DiskDataCache(directory: cache, byteLimit: .max, ageLimit: nil)
            }
            if arguments.check == nil { $0.install(WallMetrics()) }
        }
    }

    private func run() throws {
        guard gtk_init_check() != 0 else { throw ArgumentError("there is no display") }
        var status: Int32 = 0
        MainActorLoop.run {
            do {
                if let folder = arguments.check { try await check(folder) } else { try await show() }
            } catch {
                print("photo-wall: \(error)")
                status = 1
            }
        }
        exit(status)
    }

    /// Shows the window until it is closed.
    private func show() async throws {
        let urls =
            arguments.urls.isEmpty
            ? try await generatedURLs(.photo, delay: .milliseconds(40)) : await PictureSources.expanded(arguments.urls)
        // Monitored while it lives.
        let pressure = MemoryPressureMonitor { [manager] in manager.didReceiveMemoryPressure($0) }
        defer { withExtendedLifetime(pressure) {} }
        let wall = PhotoWall(nil, manager: manager, images: images, urls: urls, memoryBudget: memoryBudget)
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
        let check = WallCheck(manager: manager, images: images, urls: urls, memoryBudget: memoryBudget) {
            GeneratedPicture.index(codedIn: $0)
        }
        #if DEBUG
            // A build that is not optimised needs several times as long, and how long depends on the machine.
            check.limitsCallbacks = false
        #endif
        if arguments.isQuick { check.repeatedCount = min(arguments.count, 1000) }
        var failure: (any Error)?
        do { try await check.run() } catch { failure = error }
        let photos = try await generatedURLs(.photo, delay: .milliseconds(40))
        let tour = ScreenshotTour(
            manager: manager, images: images, urls: photos, memoryBudget: memoryBudget, folder: folder)
        try await tour.run()
        await manager.waitForStores()
        if let failure { throw failure }
    }

    private func generatedURLs(_ style: GeneratedPicture.Style, delay: Duration) async throws -> [URL] {
        let base = try await WallServer(delay: delay).start()
        return (0..<arguments.count).compactMap { URL(string: base + GeneratedPicture(style, $0).path) }
    }
}
