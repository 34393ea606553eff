import CGTK
import DarkroomCaches
import DarkroomCore
import DarkroomGIF
@testable import DarkroomGTK
import DarkroomPNG
import DarkroomTestKit
import Foundation
import GeneratedPictures
@testable import PhotoWall
import Testing

extension DisplayTests {
    @MainActor
    final class PhotoWallTests {
        private let images = MemoryImageCache()
        private let memoryBudget = MemoryBudget()
        private let folder: TemporaryDirectory
        private let wall: PhotoWall

        init() throws {
            folder = try TemporaryDirectory()
            let manager = try ImageManager { [images] in
                $0.install(FakeLoader { LoadResponse(.data(try Data(contentsOf: $0.url))) })
                for coder in [GIFCoder(), PNGCoder()] as [any ImageCoder] { $0.coders.register(coder) }
                $0.imageCache = images
            }
            wall = PhotoWall(nil, manager: manager, images: images, urls: [], memoryBudget: memoryBudget)
        }

        isolated deinit { wall.close() }

        @Test func droppedFilesAreAddedInTheirOrder() async throws {
            let urls = try ["b.png", "a ä.png", "notes.txt"].map(file)
            #expect(drop(urls))
            await wall.adding?.value
            #expect(wall.grid.urls == urls)
            #expect(wall.position == nil, "the grid is shown")
        }

        @Test func droppedPictureIsShownOnItsPage() async throws {
            let ended = Recorder<Bool>()
            wall.detail.picture.onEnd = { ended.note((try? $0.get()) != nil) }
            #expect(drop([try file("7.png")]))
            await ended.waitForValues(1)
            #expect(wall.position == 0)
            #expect(wall.detail.picture.shownBitmap.flatMap(GeneratedPicture.index) == 7)
        }

        @Test func framesOfAnimationsArePartOfTheMemoryBudget() async throws {
            let ended = Recorder<Bool>()
            wall.detail.picture.onEnd = { ended.note((try? $0.get())?.image.animation != nil) }
            // It has the bytes of a GIF file.
            #expect(drop([try file("3.png")]))
            await ended.waitForValues(1)
            #expect(ended.values == [true])
            #expect(memoryBudget.heldByteCount > 0)
        }

        @Test func droppedFileThatIsNoPictureIsAnError() async throws {
            let ended = Recorder<ImageError.Kind?>()
            wall.detail.picture.onEnd = { ended.note($0.failure?.kind) }
            #expect(drop([try file("notes.txt")]))
            await ended.waitForValues(1)
            #expect(ended.values == [.noCoder])
            #expect(wall.detail.picture.errorButton != nil)
        }

        @Test func droppedFolderIsItsFiles() async throws {
            for name in ["c.png", "b.png", ".hidden.png"] { _ = try file(name) }
            #expect(drop([folder.url]))
            await wall.adding?.value
            #expect(wall.grid.urls.map(\.lastPathComponent) == ["b.png", "c.png"])
        }

        @Test func thousandsOfFilesCanBeDropped() async {
            let urls = (0..<5000).map { folder.url.appending(path: "\($0).png") }
            #expect(drop(urls))
            #expect(drop([folder.url.appending(path: "last.png")]), "and more before these are added")
            await wall.adding?.value
            #expect(wall.grid.urls.count == 5001)
            #expect(wall.grid.urls.last?.lastPathComponent == "last.png")
        }

        @Test func closedWindowAddsNothing() async throws {
            #expect(drop([try file("7.png")]))
            let adding = wall.adding
            wall.close()
            await adding?.value
            #expect(wall.grid.urls.isEmpty)
        }

        @Test(arguments: [
            (
                "text/uri-list", "file:///tmp/a%20b.png\r\nhttps://example.com/c.jpg\r\n",
                ["file:///tmp/a%20b.png", "https://example.com/c.jpg"]
            ),
            ("text/uri-list", "# copied\r\nhttp://example.com/c.jpg?a=b#c", ["http://example.com/c.jpg?a=b#c"]),
            ("text/uri-list", "trash:///a.png\r\nnonsense", []),
            ("text/uri-list", "", []),
            ("text/plain;charset=utf-8", "https://example.com/c.jpg", ["https://example.com/c.jpg"]),
            ("text/plain;charset=utf-8", "two https://example.com/c.jpg words", []),
            ("text/plain;charset=utf-8", "", []),
        ])
        func textFromAnotherProgramIsItsURLs(type: String, text: String, urls: [String]) async {
            #expect(drop(Array(text.utf8), as: type) == !urls.isEmpty)
            await wall.adding?.value
            #expect(wall.grid.urls.map(\.absoluteString) == urls)
        }

        @Test(arguments: ["text/uri-list", "text/plain;charset=utf-8"], 0..<40)
        func anyBytesFromAnotherProgramAreAcceptedOrRefused(type: String, seed: Int) async {
            var generator = SeededGenerator(seed: seed)
            let parts = ["file:///", "https://a/", "\r\n", "%", "%00", "#", "\u{0}", "é"].map { Array($0.utf8) }
            let bytes = (0..<60).flatMap { _ in
                Bool.random(using: &generator)
                    ? parts.randomElement(using: &generator)! : [UInt8.random(in: 0...255, using: &generator)]
            }
            let isAccepted = drop(bytes, as: type)
            await wall.adding?.value
            #expect(wall.grid.urls.isEmpty != isAccepted)
        }

        @Test func valueOfAnotherTypeIsRefused() {
            var value = GValue()
            g_value_init(&value, .boolean)
            #expect(!drop(&value))
            var list = GValue()
            g_value_init(&list, gdk_file_list_get_type())
            #expect(!drop(&list), "without a list")
            var text = GValue()
            g_value_init(&text, .string)
            #expect(!drop(&text), "without a text")
        }

        @Test func chosenFilesAreAdded() async throws {
            let urls = try ["b.png", "a.png"].map(file)
            let files = g_list_store_new(g_file_get_type())!
            defer { g_object_unref(files.object) }
            for url in urls {
                let file = g_file_new_for_uri(url.absoluteString)!
                g_list_store_append(files, file.object)
                g_object_unref(file.object)
            }
            wall.add(DroppedPictures.urls(of: files))
            await wall.adding?.value
            #expect(wall.grid.urls == urls)
        }

        @Test func dialogIsOpenOnceUntilItIsAnswered() throws {
            press(GDK_KEY_o)
            let chooser = try #require(wall.chooser)
            press(GDK_KEY_o)
            #expect(wall.chooser == chooser)
            emit("response", of: chooser.object, .integer(GTK_RESPONSE_CANCEL.rawValue))
            #expect(wall.chooser == nil)
            #expect(wall.adding == nil)
        }

        @Test func keysMoveFromPictureToPicture() async throws {
            wall.append(try ["1.png", "2.png", "3.png"].map(file))
            press(GDK_KEY_Right)
            #expect(wall.position == nil, "the grid has its own keys")
            wall.open(0)
            press(GDK_KEY_Right, GDK_KEY_Right, GDK_KEY_Right)
            #expect(wall.position == 2)
            press(GDK_KEY_Left)
            #expect(wall.position == 1)
            press(GDK_KEY_1)
            #expect(wall.detail.zoom == 1)
            press(GDK_KEY_plus)
            #expect(wall.detail.zoom == 1.25)
            press(GDK_KEY_Escape)
            #expect(wall.position == nil)
            press(GDK_KEY_d)
            #expect(wall.isDark)
            press(GDK_KEY_d)
            #expect(!wall.isDark)
            var isClosed = false
            wall.onClose = { isClosed = true }
            press(GDK_KEY_q)
            #expect(isClosed)
        }

        /// Returns the URL of a file: the coded picture with the number that is its name, or one that is no picture.
        private func file(_ name: String) throws -> URL {
            let url = folder.url.appending(path: name)
            let number = name.hasSuffix(".png") ? Int(name.dropLast(4)) ?? 0 : nil
            let picture = try number.flatMap { try GeneratedPicture(.coded, $0).file() }
            try (picture ?? Data("no picture".utf8)).write(to: url)
            return url
        }

        private func press(_ keys: Int32...) {
            for key in keys {
                // The window has one of GTK's own.
                _ = controllers(of: wall.window, gtk_event_controller_key_get_type()).contains {
                    emit(
                        "key-pressed", of: $0, .unsigned(UInt32(key)), .unsigned(0),
                        .modifiers(GdkModifierType(rawValue: 0)))
                }
            }
        }

        /// Drops a value on the window, and returns whether it was accepted.
        private func drop(_ value: inout GValue) -> Bool {
            defer { g_value_unset(&value) }
            return withUnsafePointer(to: &value) { value in
                controllers(of: wall.window, gtk_drop_target_get_type()).contains {
                    emit("drop", of: $0, .value(value), .number(10), .number(20))
                }
            }
        }

        private func drop(_ urls: [URL]) -> Bool {
            var files = urls.map { g_file_new_for_uri($0.absoluteString) }
            let list = gdk_file_list_new_from_array(&files, gsize(files.count))
            for file in files { g_object_unref(file?.object) }
            var value = GValue()
            g_value_init(&value, gdk_file_list_get_type())
            g_value_take_boxed(&value, list.map { UnsafeRawPointer($0) })
            return drop(&value)
        }

        /// Drops bytes of another program, which GTK first makes a value of.
        private func drop(_ bytes: [UInt8], as type: String) -> Bool {
            let stream = g_memory_input_stream_new_from_data(bytes, gssize(bytes.count), nil)!
            defer { g_object_unref(UnsafeMutableRawPointer(stream)) }
            // It lives until GTK has called back, because the loop below runs that long.
            let conversion = Conversion()
            let valueType = type == "text/uri-list" ? gdk_file_list_get_type() : .string
            gdk_content_deserialize_async(
                stream, type, valueType, G_PRIORITY_DEFAULT, nil,
                { _, result, data in
                    let conversion = Unmanaged<Conversion>.fromOpaque(data!).takeUnretainedValue()
                    conversion.isComplete = true
                    var value = GValue()
                    if gdk_content_deserialize_finish(result, &value, nil) != 0 { conversion.value = value }
                }, Unmanaged.passUnretained(conversion).toOpaque())
            // Each iteration waits for an event.
            while !conversion.isComplete { g_main_context_iteration(nil, 1) }
            guard var value = conversion.value else { return false }
            return drop(&value)
        }

        private final class Conversion {
            var isComplete = false
            var value: GValue?
        }
    }
}

extension DisplayTests {
    @MainActor
    struct ClosedWindowTests {
        @Test func windowThatIsClosedWhileItLoadsLeavesNoPicture() async throws {
            let (gate, cancelled, images) = (Gate(), Gate(), MemoryImageCache())
            let manager = try ImageManager {
                $0.install(
                    FakeLoader { _ in
                        defer { cancelled.open() }
                        try await gate.waitUnlessCancelled()
                        throw CancellationError()
                    })
            }
            let urls = (0..<30).compactMap { URL(string: "https://example.com/\($0).png") }
            var wall: PhotoWall? = PhotoWall(nil, manager: manager, images: images, urls: urls)
            wall?.open(3)
            await gate.waitForArrivals()
            wall?.close()
            wall = nil
            // A window that is closed leaves some of its end for later.
            Display.handleEvents()
            #expect(await RemotePicture.existing.isZero(within: .seconds(60)))
            await cancelled.wait()
        }
    }
}

extension Result {
    /// The error.
    fileprivate var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
