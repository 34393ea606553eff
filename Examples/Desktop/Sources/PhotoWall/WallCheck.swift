import CGTK
public import DarkroomCaches
public import DarkroomCore
import DarkroomGTK
public import FoundationEssentials

/// Scrolls through a wall at full speed and back, and checks what it shows, how much loads at a time, what callbacks take
/// on the main thread, and what is left afterwards.
@MainActor
public final class WallCheck {
    private let manager: ImageManager
    private let images: MemoryImageCache
    private let urls: [URL]
    private let index: (Bitmap) -> Int?
    private let times = CallbackTimes()
    private var frameTimes: [Float] = []
    private var failures: [String] = []
    private var comparedCount = 0
    private var largestLoading = 0
    private var largestRunning = 0

    /// The processor time of a callback, in milliseconds, that no more than one in 10,000 may exceed; `nil` for any.
    public var callbackLimit: Float? = 4

    /// Creates a check of the pictures at `urls`. `index` returns the position that the pixels of a picture encode.
    public init(
        manager: ImageManager, images: MemoryImageCache, urls: [URL], index: @escaping (Bitmap) -> Int?
    ) {
        (self.manager, self.images, self.urls, self.index) = (manager, images, urls, index)
    }

    /// Runs the check and prints its figures.
    public func run() async throws {
        try await scroll()
        await expectNothingLeft("after the first window")
        await openAgain("warm, from memory")
        images.removeAll()
        await openAgain("warm, from disk if there is a disk cache")
        await expectNothingLeft("after a second window")
        await closeWhileLoading()
        await expectNothingLeft("after the last window")
        times.stop()
        for line in times.lines { print("  \(line)") }
        print("whole frames, with GTK's layout and drawing: \(CallbackTimes.quantiles(frameTimes))")
        if let callbackLimit {
            let late = times.count(over: callbackLimit)
            print("\(late) of \(times.count) callbacks used the processor for more than \(callbackLimit) ms")
            // A machine that does other work takes the blame for one in 10,000, because its page faults count, too.
            if late > times.count / 10_000 { fail("\(late) callbacks took too long") }
        }
        guard failures.isEmpty else { throw WallFailure(failures.joined(separator: "\n")) }
    }

    private func fail(_ sentence: String) { if failures.count < 20 { failures.append(sentence) } }

    private func makeWall() -> PhotoWall { PhotoWall(nil, manager: manager, images: images, urls: urls) }

    private func scroll() async throws {
        let wall = makeWall()
        print("first row on screen, cold: \(await present(wall)) ms")
        watch(wall)
        await Frames(widget: wall.window).until { wall.isLoaded }
        checkAnimations(of: wall)
        _ = await memory(of: wall, "at the start")
        var levels: [Double] = []
        for _ in 0..<3 {
            times.start()
            let start = ContinuousClock.now
            let frames = await sweep(wall, by: 0.5) + sweep(wall, by: -0.5)
            print(
                "\(urls.count) cells and back: \((start.duration(to: .now).milliseconds / 1000).short) s, \(frames) frames"
            )
            times.stop()
            await Frames(widget: wall.window).until { [manager] in wall.isLoaded && !manager.isRunning }
            await Frames(widget: wall.window).wait(30)
            try checkPixels(of: wall)
            levels.append(await memory(of: wall, "afterwards"))
        }
        // The first round fills what is kept for good, such as the table of connections.
        if levels[2] > levels[1] + 4 { fail("allocated memory grew from \(levels[1]) to \(levels[2]) MiB") }
        print(
            "\(comparedCount) pictures on screen compared; at most \(largestLoading) loads of cells and prefetches, "
                + "\(largestRunning) results being made")
        await checkHiding(of: wall)
        wall.close()
    }

    /// Shows `wall`, and returns the milliseconds until its first row is complete.
    private func present(_ wall: PhotoWall) async -> Double {
        let start = ContinuousClock.now
        wall.present()
        await Frames(widget: wall.window).until { wall.hasFirstRow }
        return start.duration(to: .now).milliseconds.short
    }

    /// Scrolls to an end by `pages` a frame, and returns the number of frames.
    private func sweep(_ wall: PhotoWall, by pages: Double) async -> Int {
        var count = 0
        await Frames(widget: wall.window).until {
            count += 1
            let adjustment = wall.grid.adjustment
            let old = gtk_adjustment_get_value(adjustment)
            gtk_adjustment_set_value(adjustment, old + pages * gtk_adjustment_get_page_size(adjustment))
            return gtk_adjustment_get_value(adjustment) == old
        }
        return count
    }

    /// Prints the memory, with an empty image cache and nothing in flight, and returns the allocated MiB.
    private func memory(of wall: PhotoWall, _ moment: String) async -> Double {
        images.removeAll()
        await Frames(widget: wall.window).until { [manager] in !manager.isRunning }
        // Until they are stored, pictures are in memory.
        await manager.waitForStores()
        let allocated = (Float(ProcessMemory.allocatedByteCount) / Float(1 << 20)).short
        print("memory \(moment): \(allocated) MiB allocated, \(ProcessMemory.residentByteCount >> 20) MiB resident")
        return allocated
    }

    private func openAgain(_ name: String) async {
        let wall = makeWall()
        print("first row on screen, \(name): \(await present(wall)) ms")
        wall.close()
    }

    private func closeWhileLoading() async {
        try? await manager.removeAll()
        let wall = makeWall()
        wall.present()
        await Frames(widget: wall.window).until { wall.grid.cells.loadingPositions.count > 3 }
        wall.close()
    }

    private func expectNothingLeft(_ moment: String) async {
        for _ in 0..<500 where manager.isRunning || RemotePicture.count > 0 {
            try? await Task.sleep(for: .milliseconds(10))
        }
        if manager.isRunning { fail("\(moment) was closed, \(manager.runningCount) results were still being made") }
        if RemotePicture.count > 0 { fail("\(moment) was closed, \(RemotePicture.count) pictures were left") }
    }
}

// What each frame must fulfil.
extension WallCheck {
    private func watch(_ wall: PhotoWall) {
        guard let clock = gtk_widget_get_frame_clock(wall.window)?.object else {
            return fail("there is no frame clock")
        }
        var start: ContinuousClock.Instant?
        connect(clock, "before-paint", measuredAs: "check") { start = .now }
        connect(clock, "after-paint", isAfter: true, measuredAs: "check") { [weak self, weak wall] in
            if let start { self?.frameTimes.append(start.duration(to: .now).milliseconds) }
            if let wall { self?.checkFrame(of: wall) }
        }
    }

    private func checkFrame(of wall: PhotoWall) {
        let cells = wall.grid.cells
        for (position, picture) in cells.visiblePictures {
            guard let bitmap = picture.shownBitmap else { continue }
            comparedCount += 1
            let shown = index(bitmap)
            if shown != position { fail("cell \(position) shows picture \(shown.map(String.init) ?? "none")") }
        }
        let loading = cells.loadingPositions.count
        largestLoading = max(largestLoading, loading)
        largestRunning = max(largestRunning, manager.runningCount)
        if loading > cells.loadLimit { fail("\(loading) loads at a time, for a window of \(cells.loadLimit)") }
    }

    /// Compares the drawn window with the positions of its cells.
    private func checkPixels(of wall: PhotoWall) throws {
        guard let pixels = WindowPixels.bitmap(of: wall.window) else { throw WallFailure("the window has no pixels") }
        var count = 0
        for (position, picture) in wall.grid.cells.visiblePictures where picture.shownBitmap != nil {
            var place = graphene_rect_t()
            guard gtk_widget_compute_bounds(picture.widget, wall.window, &place) != 0 else { continue }
            let (x, y) = (place.origin.x + place.size.width / 2, place.origin.y + place.size.height / 2)
            guard y < Float(pixels.size.height - 60), y > 60, let color = pixels.color(x: Int(x), y: Int(y)),
                let dot = try? Bitmap(PixelSize(1, 1), bytes: [color.red, color.green, color.blue, 255])
            else { continue }
            count += 1
            let drawn = index(dot)
            if drawn != position { fail("picture \(drawn.map(String.init) ?? "none") is drawn in cell \(position)") }
        }
        if count == 0 { fail("no picture is drawn in the window") }
        print("\(count) pictures of the drawn window compared")
    }

    private func checkAnimations(of wall: PhotoWall) {
        let playing = wall.grid.cells.visiblePictures.values.count { $0.isPlaying }
        print("\(playing) animations play")
        if playing == 0 { fail("no animation plays") }
    }

    private func checkHiding(of wall: PhotoWall) async {
        gtk_widget_set_visible(wall.window, 0)
        if wall.grid.cells.visiblePictures.values.contains(where: \.isPlaying) {
            fail("an animation plays in a hidden window")
        }
        gtk_widget_set_visible(wall.window, 1)
        await Frames(widget: wall.window).wait(5)
        checkAnimations(of: wall)
    }
}

extension PhotoWall {
    /// Whether all cells of the first row have an outcome.
    fileprivate var hasFirstRow: Bool {
        let pictures = grid.cells.visiblePictures
        guard let first = pictures[0] else { return false }
        let top = top(of: first)
        return pictures.values.allSatisfy { $0.outcome != nil || self.top(of: $0) != top }
    }

    private func top(of picture: RemotePicture) -> Float {
        var place = graphene_rect_t()
        return gtk_widget_compute_bounds(picture.widget, grid.widget, &place) == 0 ? -1 : place.origin.y
    }
}
