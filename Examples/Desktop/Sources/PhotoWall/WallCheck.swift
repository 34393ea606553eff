import CGTK
public import DarkroomCaches
public import DarkroomCore
import DarkroomGTK
public import FoundationEssentials

/// Scrolls through a wall at full speed and back, and checks what it shows, how much loads at a time, what callbacks take
/// on the main thread, and what is left afterwards.
@MainActor
public final class WallCheck {
    let manager: ImageManager
    /// Returns the position that the pixels of a picture encode.
    let index: (Bitmap) -> Int?
    private let images: MemoryImageCache
    private let memoryBudget: MemoryBudget?
    private let urls: [URL]
    private let times = CallbackTimes()
    private static let callbackLimit = Duration.milliseconds(4)
    private var frameTimes = TimeDistribution()
    private var failures: [String] = []
    private var comparedCount = 0
    private var largestLoading = 0
    private var largestRunning = 0

    /// Whether more than one callback in 10,000 fails the check by using the processor for more than 4 ms.
    public var limitsCallbacks = true

    /// The number of pictures that the second and the third round scroll through, which show whether memory grows; `nil`
    /// for all.
    public var repeatedCount: Int?

    /// Creates a check of the pictures at `urls`. `index` returns the position that the pixels of a picture encode.
    public init(
        manager: ImageManager, images: MemoryImageCache, urls: [URL], memoryBudget: MemoryBudget? = nil,
        index: @escaping (Bitmap) -> Int?
    ) {
        (self.manager, self.images, self.urls, self.index) = (manager, images, urls, index)
        self.memoryBudget = memoryBudget
    }

    /// Runs the check and prints its figures.
    public func run() async throws {
        try await checkFirstWindow()
        await expectNothingLeft("the first window")
        await openAgain("warm, from memory")
        images.removeAll()
        await openAgain("warm, from disk if there is a disk cache")
        await expectNothingLeft("a second window")
        await closeWhileLoading()
        await expectNothingLeft("a window that was loading")
        printTimes()
        guard failures.isEmpty else { throw WallFailure(failures.joined(separator: "\n")) }
    }

    /// Notes that something is not as it must be.
    func fail(_ sentence: String) { if failures.count < 20 { failures.append(sentence) } }

    private func makeWall() -> PhotoWall {
        PhotoWall(nil, manager: manager, images: images, urls: urls, memoryBudget: memoryBudget)
    }

    private func checkFirstWindow() async throws {
        let wall = makeWall()
        print("first row on screen, cold: \(await present(wall)) ms")
        print("drawn by \(WindowPixels.rendererName(of: wall.window) ?? "nothing")")
        watch(wall)
        await Frames(widget: wall.window).until { wall.isLoaded }
        checkAnimations(of: wall)
        _ = await memory(of: wall, "at the start")
        try await scroll(wall, through: urls.count)
        // It fills what is kept for good, such as the table of connections.
        _ = await memory(of: wall, "after the first round")
        try await scroll(wall, through: repeatedCount ?? urls.count)
        let second = await memory(of: wall, "after the second round")
        try await scroll(wall, through: repeatedCount ?? urls.count)
        let third = await memory(of: wall, "after the third round")
        if third > second + 2 { fail("allocated memory grew from \(second) to \(third) MiB") }
        print(
            "\(comparedCount) pictures on screen compared; at most \(largestLoading) loads of cells and prefetches, "
                + "\(largestRunning) results being made")
        await checkHiding(of: wall)
        // Last, because the display may change the size of the window, too.
        await checkScale(of: wall)
        wall.close()
    }

    /// Shows `wall`, and returns the milliseconds until its first row is complete.
    private func present(_ wall: PhotoWall) async -> Double {
        let start = ContinuousClock.now
        wall.present()
        await Frames(widget: wall.window).until { wall.hasFirstRow }
        return start.duration(to: .now).milliseconds
    }

    /// Scrolls through `count` pictures and back, and compares what is drawn then.
    private func scroll(_ wall: PhotoWall, through count: Int) async throws {
        times.start()
        let start = ContinuousClock.now
        let end = Double(count) / Double(urls.count)
        let frames = await sweep(wall, to: end, by: 0.5) + sweep(wall, to: 0, by: -0.5)
        print("\(count) cells and back: \(start.duration(to: .now).milliseconds.rounded() / 1000) s, \(frames) frames")
        times.stop()
        await Frames(widget: wall.window).until { [manager] in wall.isLoaded && !manager.isRunning }
        await Frames(widget: wall.window).wait(30)
        try await checkPixels(of: wall)
    }

    /// Scrolls by `pages` a frame to a fraction of the whole, and returns the number of frames.
    private func sweep(_ wall: PhotoWall, to end: Double, by pages: Double) async -> Int {
        var count = 0
        await Frames(widget: wall.window).until {
            count += 1
            let adjustment = wall.grid.adjustment
            let old = gtk_adjustment_get_value(adjustment)
            let last = end * gtk_adjustment_get_upper(adjustment)
            let next = old + pages * gtk_adjustment_get_page_size(adjustment)
            gtk_adjustment_set_value(adjustment, pages > 0 ? min(next, last) : max(next, last))
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
        let allocated = (Double(ProcessMemory.allocatedByteCount) / Double(1 << 20) * 10).rounded() / 10
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

    private func expectNothingLeft(_ window: String) async {
        // A load that was cancelled may hold a picture and run for a moment.
        await Frames.ofEmptyWindow { [manager] in
            await $0.until(within: 1800) { RemotePicture.existing.value == 0 && !manager.isRunning }
        }
        let count = RemotePicture.existing.value
        if count > 0 { fail("\(window) was closed, \(count) pictures were left") }
        if manager.isRunning { fail("\(window) was closed, \(manager.runningCount) results were still being made") }
    }

    private func printTimes() {
        for line in times.lines { print("  \(line)") }
        print("whole frames, with GTK's layout and drawing: \(frameTimes)")
        let late = times.count(over: Self.callbackLimit)
        print(
            "\(late) of \(times.count) callbacks used the processor for more than \(Self.callbackLimit.milliseconds) ms"
        )
        // A machine that does other work takes the blame for one in 10,000, because its page faults count, too.
        if limitsCallbacks, late > times.count / 10_000 { fail("\(late) callbacks took too long") }
    }
}

// Checks of each frame.
extension WallCheck {
    private func watch(_ wall: PhotoWall) {
        guard let clock = gtk_widget_get_frame_clock(wall.window)?.object else {
            return fail("there is no frame clock")
        }
        var start: ContinuousClock.Instant?
        connect(clock, "before-paint", measuredAs: "check") { start = .now }
        connect(clock, "after-paint", isAfter: true, measuredAs: "check") { [weak self, weak wall] in
            if let start { self?.frameTimes.add(start.duration(to: .now)) }
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
