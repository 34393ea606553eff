import CGTK
import DarkroomCore
import DarkroomGTK
import FoundationEssentials

/// The grid of thumbnails.
@MainActor
final class WallGrid {
    /// The scrolled window with the grid.
    let widget: Widget
    /// The cells of the grid.
    let cells: PictureCells

    /// Called with the position of an activated picture.
    var onActivate: ((Int) -> Void)?

    /// Called with the cell under the pointer.
    var onHover: ((RemotePicture) -> Void)?

    /// The URLs of the items.
    private(set) var urls: [URL] {
        get { list.urls }
        set { list.urls = newValue }
    }

    private final class List {
        var urls: [URL] = []
    }

    private let list = List()
    private let model: OpaquePointer
    private let grid: OpaquePointer

    init(_ manager: ImageManager, settings: PictureSettings) {
        model = gtk_string_list_new(nil)
        cells = PictureCells(manager, settings: settings, count: { [list] in list.urls.count }) { [list] in
            list.urls.indices.contains($0) ? list.urls[$0] : nil
        }
        g_object_ref(cells.factory.object)
        grid = gtk_grid_view_new(gtk_no_selection_new(model), cells.factory).opaque
        widget = gtk_scrolled_window_new()
        gtk_grid_view_set_max_columns(grid, 24)
        gtk_grid_view_set_single_click_activate(grid, 1)
        gtk_scrolled_window_set_child(widget.opaque, grid.widget)
        gtk_scrolled_window_set_policy(widget.opaque, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC)
        gtk_widget_set_vexpand(widget, 1)
        gtk_widget_set_hexpand(widget, 1)
        cells.follow(widget)
        cells.onSetup = { [weak self] in self?.prepare($0) }
        connect(grid.object, "activate", .number) { [weak self] in
            self?.onActivate?($0.pressCount)
            return false
        }
    }

    /// Adds items at the end.
    func append(_ new: [URL]) {
        let count = guint(urls.count)
        urls += new
        // The cells ask for the URLs, so the items need no text. Added at once, they change the view once.
        "".withCString { item in
            let items = [UnsafePointer<CChar>?](repeating: item, count: new.count) + [nil]
            gtk_string_list_splice(model, count, 0, items)
        }
    }

    /// Scrolls to the item at `position`.
    func scroll(to position: Int) {
        gtk_widget_activate_action_variant(grid.widget, "list.scroll-to-item", g_variant_new_uint32(guint(position)))
    }

    /// Gives the focus back to the item that had it last.
    func focus() { gtk_widget_grab_focus(grid.widget) }

    /// The vertical scroll position.
    var adjustment: UnsafeMutablePointer<GtkAdjustment> { gtk_scrolled_window_get_vadjustment(widget.opaque) }

    private func prepare(_ picture: RemotePicture) {
        picture.widget.setMargin(4)
        let motion = gtk_event_controller_motion_new()!
        gtk_widget_add_controller(picture.widget, motion)
        connect(motion.object, "enter", .motion) { [weak self, unowned picture] _ in
            self?.onHover?(picture)
            return false
        }
        picture.onContextMenu = { [weak self, unowned picture] _, _ in
            guard let url = picture.url, let clipboard = gtk_widget_get_clipboard(picture.widget) else { return }
            gdk_clipboard_set_text(clipboard, url.absoluteString)
            self?.onHover?(picture)
        }
    }
}
