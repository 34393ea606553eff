import CGTK
import DarkroomCore
@testable import DarkroomGTK
import DarkroomTestKit
import Foundation
import Testing

extension DisplayTests {
    @MainActor
    struct PictureCellsTests {
        @Test func cellThatReturnsToTheScreenLoadsItsPicture() async throws {
            let grid = try Grid(count: 200)
            let cells = grid.cells
            // One load a frame.
            cells.timeLimit = .zero
            cells.prefetchCount = 0
            let isShown = grid.runFrames { !cells.visiblePositions.isEmpty && !cells.continuesLater }
            #expect(isShown)
            grid.scroll(toPage: 1)
            let hasScrolled = grid.runFrames { cells.visiblePositions.lowerBound > 0 }
            #expect(hasScrolled && cells.continuesLater, "some cells have yet to load")
            #expect(cells.visiblePictures.keys.allSatisfy(cells.visiblePositions.contains))
            grid.scroll(toPage: 0)
            let hasReturned = grid.runFrames { cells.visiblePositions.lowerBound == 0 && !cells.continuesLater }
            #expect(hasReturned)
            #expect(cells.visiblePictures.keys.sorted() == Array(cells.visiblePositions))
            for (position, picture) in cells.visiblePictures { #expect(picture.url == grid.urls[position]) }
            await grid.close()
        }

        @Test func listThatBecomesEmptyPrefetchesNothing() async throws {
            let grid = try Grid(count: 200)
            let cells = grid.cells
            cells.prefetchCount = 20
            let isPrefetching = grid.runFrames { cells.loadingPositions.count > cells.visiblePositions.count }
            #expect(isPrefetching)
            grid.removeAll()
            let isIdle = grid.runFrames { cells.loadingPositions.isEmpty }
            #expect(isIdle && cells.visiblePositions.isEmpty)
            await grid.close()
        }
    }
}

/// A window with a grid of pictures whose loads do not end.
@MainActor
private final class Grid {
    let cells: PictureCells

    /// The URLs of the items.
    var urls: [URL] { list.urls }

    private final class List {
        var urls: [URL] = []
    }

    private let window = gtk_window_new()!
    private let scrolled = gtk_scrolled_window_new()!
    private let model = gtk_string_list_new(nil)!
    private let list = List()

    /// Shows a grid of `count` pictures.
    init(count: Int) throws {
        let gate = Gate()
        let manager = try ImageManager {
            $0.install(
                FakeLoader { _ in
                    try await gate.waitUnlessCancelled()
                    throw CancellationError()
                })
        }
        list.urls = (0..<count).compactMap { URL(string: "https://example.com/\($0).png") }
        cells = PictureCells(
            manager, settings: PictureSettings { $0.size = (180, 120) }, count: { [list] in list.urls.count },
            url: { [list] in list.urls.indices.contains($0) ? list.urls[$0] : nil })
        for url in list.urls { gtk_string_list_append(model, url.absoluteString) }
        g_object_ref(cells.factory.object)
        let grid = gtk_grid_view_new(gtk_no_selection_new(model), cells.factory)!
        gtk_scrolled_window_set_child(scrolled.opaque, grid)
        cells.follow(scrolled)
        gtk_window_set_default_size(window.cast(), 400, 400)
        gtk_window_set_child(window.cast(), scrolled)
        gtk_window_present(window.cast())
    }

    func runFrames(until condition: () -> Bool) -> Bool { Display.runFrames(of: window, until: condition) }

    /// Scrolls to a page, as high as the window.
    func scroll(toPage page: Double) {
        let adjustment = gtk_scrolled_window_get_vadjustment(scrolled.opaque)
        gtk_adjustment_set_value(adjustment, page * gtk_adjustment_get_page_size(adjustment))
    }

    /// Removes the items.
    func removeAll() {
        let count = guint(list.urls.count)
        list.urls = []
        gtk_string_list_splice(model, 0, count, nil)
    }

    /// Closes the window, and waits for the end of its pictures, which other tests count.
    func close() async {
        gtk_window_destroy(window.cast())
        Display.handleEvents()
        #expect(await RemotePicture.existing.isZero(within: .seconds(60)))
    }
}
