import CGTK
import DarkroomCaches
import DarkroomCore
import DarkroomGIF
@testable import DarkroomGTK
import DarkroomPNG
import DarkroomTestKit
import Foundation
import GeneratedPictures
import Synchronization
import Testing

extension DisplayTests {
    @MainActor
    final class RemotePictureTests {
        private let gate = Gate()
        /// The loads that were cancelled at the gate arrive here.
        private let cancelled = Gate()
        private let ended = Recorder<ImageError.Kind?>()
        private let loader: FakeLoader
        private let window = gtk_window_new()!
        private let manager: ImageManager

        init() throws {
            // The paths of coded pictures; those below `slow` are loaded when the gate is open. Those below `half` end in the
            // middle then, and those below `small` are only loaded at a scale of 1.
            loader = FakeLoader { [gate, cancelled] request in
                let path = request.url.path
                if path.hasPrefix("/slow") {
                    do {
                        try await gate.waitUnlessCancelled()
                    } catch {
                        cancelled.arrive()
                        throw error
                    }
                }
                let name = path.split(separator: "/").suffix(2).joined(separator: "/")
                let isTooLarge = path.hasPrefix("/small") && request.context.thumbnail != Thumbnail.fit(180, 120)
                guard !isTooLarge, let file = try GeneratedPicture(path: name)?.file() else {
                    throw ImageError(.status, .load, "there is no \(path)")
                }
                if path.hasPrefix("/half") { return RemotePictureTests.half(of: file, endingAt: gate) }
                return LoadResponse(.data(file))
            }
            manager = try ImageManager { [loader] in
                $0.install(loader)
                $0.imageCache = MemoryImageCache()
                for coder in [GIFCoder(), PNGCoder()] as [any ImageCoder] { $0.coders.register(coder) }
            }
        }

        isolated deinit { gtk_window_destroy(window.cast()) }

        @Test func pictureOfItsURLReplacesThePlaceholder() async throws {
            let picture = try makePicture { $0.placeholder = try placeholder() }
            picture.load(url("/slow/coded/8.png"))
            #expect(picture.isLoading)
            #expect(number(picture) == 1000)
            gate.open()
            await ended.waitForValues(1)
            #expect(number(picture) == 8)
            #expect(picture.shownBitmap?.size == PixelSize(180, 120))
            #expect(ended.values == [nil])
            picture.clear()
            #expect(picture.shownBitmap == nil && picture.url == nil && picture.outcome == nil)
        }

        @Test func pictureInMemoryIsThereAtOnce() async throws {
            let picture = try makePicture()
            picture.load(url("/coded/8.png"))
            await ended.waitForValues(1)
            picture.clear()
            picture.load(url("/coded/8.png"))
            #expect(number(picture) == 8)
            #expect(!picture.isLoading)
        }

        @Test func pictureOfAnEarlierURLIsNeverShown() async throws {
            let picture = try makePicture()
            picture.load(url("/slow/coded/8.png"))
            await gate.waitForArrivals()
            picture.load(url("/coded/9.png"))
            await ended.waitForValues(1)
            gate.open()
            #expect(number(picture) == 9)
            #expect(ended.values == [nil], "the replaced load is no outcome")
        }

        @Test func errorHasAButtonThatLoadsAgain() async throws {
            let picture = try makePicture { $0.errorPicture = try placeholder() }
            picture.load(url("/coded/5.png"))
            await ended.waitForValues(1)
            #expect(ended.values == [.status])
            #expect(number(picture) == 1000, "the picture for errors")
            let button = try #require(picture.errorButton)
            #expect(gtk_widget_get_tooltip_text(button).map { String(cString: $0) } == "there is no /coded/5.png")
            if Display.isAccessible {
                #expect(darkroom_has_accessible_label(button, "Load again: there is no /coded/5.png") != 0)
            }
            emit("clicked", of: button)
            #expect(picture.isLoading && picture.errorButton == nil)
            await ended.waitForValues(2)
            #expect(picture.errorButton != nil)
            #expect(loader.requests.count == 2)
        }

        @Test func errorWithoutRetryIsAnIcon() async throws {
            let picture = try makePicture { $0.retriesOnClick = false }
            picture.load(url("/coded/5.png"))
            await ended.waitForValues(1)
            let icon = try #require(picture.errorButton)
            #expect(g_type_check_instance_is_a(icon.cast(), gtk_image_get_type()) != 0)
            if Display.isAccessible { #expect(darkroom_has_accessible_label(icon, "there is no /coded/5.png") != 0) }
        }

        @Test func anotherScaleLoadsItsPixelsAndKeepsThePictureUntilThen() async throws {
            let picture = try makePicture()
            picture.load(url("/slow/coded/8.png"))
            gate.open()
            await ended.waitForValues(1)
            picture.scaleChanged(to: 2)
            #expect(picture.isLoading)
            #expect(picture.shownBitmap?.size == PixelSize(180, 120))
            await ended.waitForValues(2)
            #expect(picture.shownBitmap?.size == PixelSize(360, 240))
            picture.scaleChanged(to: 2)
            #expect(!picture.isLoading, "the scale is the same")
            picture.scaleChanged(to: 1)
            await ended.waitForValues(3)
            #expect(picture.shownBitmap?.size == PixelSize(180, 120))
        }

        @Test func pictureStaysWhenThatOfAnotherScaleCannotBeLoaded() async throws {
            let picture = try makePicture { $0.errorPicture = try placeholder() }
            picture.load(url("/small/coded/8.png"))
            await ended.waitForValues(1)
            picture.scaleChanged(to: 2)
            await ended.waitForValues(2)
            #expect(ended.values == [nil, .status])
            #expect(number(picture) == 8 && picture.errorButton != nil)
            picture.retry()
            #expect(number(picture) == 8 && picture.errorButton == nil, "also while it is tried again")
            await ended.waitForValues(3)
            #expect(number(picture) == 8 && picture.errorButton != nil)
            picture.load(url("/small/coded/9.png"))
            await ended.waitForValues(4)
            #expect(number(picture) == 1000, "it is not that of another URL")
        }

        @Test func anotherScaleOfAnEmptyOrUnscaledPictureLoadsNothing() async throws {
            let empty = try makePicture()
            empty.scaleChanged(to: 2)
            #expect(!empty.isLoading)
            empty.load(url("/coded/8.png"))
            await ended.waitForValues(1)
            #expect(empty.shownBitmap?.size == PixelSize(360, 240), "the scale is remembered")
            let original = try makePicture { $0.size = nil }
            original.load(url("/coded/9.png"))
            await ended.waitForValues(2)
            original.scaleChanged(to: 2)
            #expect(!original.isLoading)
        }

        @Test func animationThatCannotBeLoadedToItsEndStops() async throws {
            let picture = try makePicture {
                $0.size = nil
                $0.context.deliversPreviews = true
            }
            gtk_window_present(window.cast())
            let isMapped = Display.runFrames(of: window) { picture.isMapped }
            try #require(isMapped)
            // The rest fails when the first part plays.
            connect(picture.paintable.object, "invalidate-contents") { [weak picture, gate] in
                if picture?.isPlaying == true { gate.open() }
            }
            picture.load(url("/half/coded/3.gif"))
            await ended.waitForValues(1)
            #expect(ended.values == [.network])
            #expect(!picture.isPlaying)
            #expect(number(picture) == 3, "what has arrived stays")
            picture.isOnScreen = false
            picture.isOnScreen = true
            #expect(!picture.isPlaying)
            gtk_window_set_child(window.cast(), nil)
            Display.handleEvents()
        }

        @Test func framesOfAnimationsArePartOfTheMemoryBudget() async throws {
            let budget = MemoryBudget()
            let picture = try makePicture { $0.memoryBudget = budget }
            picture.load(url("/coded/3.gif"))
            await ended.waitForValues(1)
            #expect(budget.heldByteCount >= 180 * 120 * 4)
            picture.clear()
            #expect(budget.heldByteCount == 0)
        }

        @Test(arguments: [(true, LoadPriority.normal), (false, .low)])
        func pictureOffScreenLoadsWithLowPriority(isOnScreen: Bool, priority: LoadPriority) async throws {
            let picture = try makePicture()
            picture.isOnScreen = isOnScreen
            picture.load(url("/coded/8.png"))
            await ended.waitForValues(1)
            #expect(loader.requests.map(\.context.priority) == [priority])
        }

        @Test(.enabled(if: Display.isAccessible))
        func screenReadersReadTheLabelOrTheNameOfTheFile() throws {
            let picture = try makePicture()
            picture.load(url("/slow/coded/8.png"))
            #expect(darkroom_has_accessible_label(picture.area, "8.png") != 0)
            picture.label = "A lake"
            #expect(darkroom_has_accessible_label(picture.area, "A lake") != 0)
            picture.load(url("/slow/coded/9.png"))
            #expect(darkroom_has_accessible_label(picture.area, "A lake") != 0)
        }

        @Test func contextMenuOpensAtTheClickOrTouch() throws {
            let picture = try makePicture()
            var places: [[Double]] = []
            picture.onContextMenu = { places.append([$0, $1]) }
            picture.onContextMenu = { places.append([$0, $1]) }
            for click in controllers(of: picture.widget, gtk_gesture_click_get_type()) {
                emit("pressed", of: click, .integer(1), .number(10), .number(20))
            }
            for touch in controllers(of: picture.widget, gtk_gesture_long_press_get_type()) {
                emit("pressed", of: touch, .number(30), .number(40))
            }
            #expect(places == [[10, 20], [30, 40]])
        }

        @Test func destroyedWidgetEndsItsLoadAndThePicture() async throws {
            var picture: RemotePicture? = try makePicture()
            picture?.load(url("/slow/coded/8.png"))
            await gate.waitForArrivals()
            #expect(RemotePicture.existing.value == 1)
            gtk_window_set_child(window.cast(), nil)
            #expect(picture?.isLoading == false)
            await cancelled.waitForArrivals()
            picture?.load(url("/coded/9.png"))
            picture?.retry()
            #expect(picture?.isLoading == false)
            picture = nil
            #expect(await RemotePicture.existing.isZero(within: .seconds(60)))
            #expect(loader.requests.count == 1, "it loads nothing any more")
            #expect(ended.values.isEmpty)
        }

        /// Returns the first part of `file`, and an error when `gate` is open.
        private nonisolated static func half(of file: Data, endingAt gate: Gate) -> LoadResponse {
            let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
            stream.yield(file.prefix(file.count * 3 / 4))
            Task {
                await gate.wait()
                stream.finish(throwing: ImageError(.network, .load, "the connection was lost"))
            }
            return LoadResponse(.chunks(chunks), expectedByteCount: file.count)
        }

        private func url(_ path: String) -> URL? { URL(string: "https://example.com\(path)") }

        private func number(_ picture: RemotePicture) -> Int? { picture.shownBitmap.flatMap(GeneratedPicture.index) }

        /// The coded picture 1000.
        private func placeholder() throws -> Image {
            try CoderRegistry([PNGCoder()]).decode(try #require(try GeneratedPicture(.coded, 1000).file()))
        }

        private func makePicture(_ configure: (inout PictureSettings) throws -> Void = { _ in }) throws -> RemotePicture
        {
            var settings = PictureSettings { $0.size = (180, 120) }
            try configure(&settings)
            let picture = RemotePicture(manager, settings: settings)
            picture.onEnd = { [ended] in ended.note($0.errorKind) }
            gtk_window_set_child(window.cast(), picture.widget)
            return picture
        }
    }
}

extension Result where Failure == ImageError {
    fileprivate var errorKind: ImageError.Kind? { if case .failure(let error) = self { error.kind } else { nil } }
}
