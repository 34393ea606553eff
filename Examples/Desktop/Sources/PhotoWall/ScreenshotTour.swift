public import DarkroomCaches
public import DarkroomCore
import DarkroomGTK
public import Foundation

/// Takes pictures of the window: the grid, loads in progress, one picture, an error, an animation, and a dark window.
@MainActor
public final class ScreenshotTour {
    private let wall: PhotoWall
    private let folder: URL
    private var frames: Frames { Frames(widget: wall.window) }

    /// Creates a tour of the generated landscapes at `urls`.
    public init(
        manager: ImageManager, images: MemoryImageCache, urls: [URL], memoryBudget: MemoryBudget? = nil, folder: URL
    ) {
        wall = PhotoWall(nil, manager: manager, images: images, urls: urls, memoryBudget: memoryBudget)
        self.folder = folder
    }

    /// Shows the window, writes the files, and closes it.
    public func run() async throws {
        wall.present()
        await frames.until { [wall] in wall.grid.cells.visiblePictures.values.count { $0.outcome != nil } >= 12 }
        try await take("loading")
        await frames.until { [wall] in wall.isLoaded }
        // An animation is inspected. Some frames later, the fades are over and it has moved on.
        if let animation = wall.grid.cells.visiblePictures[3] { wall.inspect(animation) }
        await frames.wait(40)
        try await take("list")
        if let error = wall.grid.cells.visiblePictures[5] { wall.inspect(error) }
        try await take("error")
        // One that was not loaded before, so that there are previews.
        wall.open(wall.grid.urls.count - 2)
        await frames.until { [wall] in wall.detail.picture.shownBitmap != nil }
        try await take("progressive")
        await frames.until { [wall] in wall.detail.picture.outcome != nil }
        await frames.wait(40)
        try await take("detail")
        wall.open(3)
        await frames.until { [wall] in wall.detail.picture.outcome != nil }
        await frames.wait(60)
        try await take("animation")
        wall.closeDetail()
        wall.isDark = true
        await frames.until { [wall] in wall.isLoaded }
        if let picture = wall.grid.cells.visiblePictures[7] { wall.inspect(picture) }
        await frames.wait(60)
        try await take("dark")
        wall.isDark = false
        wall.close()
    }

    private func take(_ name: String) async throws {
        await frames.wait(2)
        guard let bitmap = await WindowPixels.bitmap(of: wall.window) else {
            throw WallFailure("the window has no pixels")
        }
        let image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        let file = try wall.manager.coders.encode(image, as: .webp, context: ImageContext { $0.quality = 0.8 })
        try file.write(to: folder.appending(path: "\(name).webp"))
        print("\(name).webp: \(bitmap.size), \(file.count) bytes")
    }
}

/// The reason why a check failed.
public struct WallFailure: Error, CustomStringConvertible {
    /// The reason.
    public let description: String

    /// Creates an error with the reason `description`.
    public init(_ description: String) { self.description = description }
}

extension PhotoWall {
    /// Whether nothing on screen is loading.
    var isLoaded: Bool {
        let pictures = grid.cells.visiblePictures
        return !pictures.isEmpty && pictures.values.allSatisfy { $0.outcome != nil }
    }
}
