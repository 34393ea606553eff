import CGTK
import Darkroom
import DarkroomGTK
import Foundation

/// A window with a grid of pictures.
@MainActor
final class GridWindow {
    let window = gtk_window_new()!
    let cells: PictureCells

    init(_ urls: [URL], manager: ImageManager) {
        let settings = PictureSettings {
            $0.size = (180, 120)
            $0.contentFit = .cover
        }
        cells = PictureCells(manager, settings: settings, count: { urls.count }, url: { urls[$0] })
        let model = gtk_string_list_new(nil)!
        for url in urls { gtk_string_list_append(model, url.absoluteString) }
        g_object_ref(cells.factory.object)
        let grid = gtk_grid_view_new(gtk_no_selection_new(model), cells.factory)!
        let scrolled = gtk_scrolled_window_new()!
        gtk_scrolled_window_set_child(scrolled.opaque, grid)
        cells.follow(scrolled)
        gtk_window_set_child(window.cast(), scrolled)
    }
}

gtk_init()
let urls = CommandLine.arguments.dropFirst().compactMap { URL(string: $0) }
let wall = GridWindow(urls, manager: try ImageManager.standard())
gtk_window_present(wall.window.cast())
MainActorLoop.runUntilWindowsClose()
