import CGTK
import DarkroomCore
import DarkroomGTK
import FoundationEssentials

/// The page of one picture at its own size, which loads over its thumbnail and can be enlarged.
@MainActor
final class DetailPage {
    /// The scrolled window with the picture.
    let widget: Widget
    /// The picture.
    let picture: RemotePicture

    /// Pixels of the monitor for each pixel of the picture; `nil` fits the picture into the page.
    private(set) var zoom: Double?

    init(_ manager: ImageManager, settings: PictureSettings) {
        widget = gtk_scrolled_window_new()
        var settings = settings
        settings.context.deliversPreviews = true
        picture = RemotePicture(manager, settings: settings)
        gtk_scrolled_window_set_child(widget.opaque, picture.widget)
        let scroll = gtk_event_controller_scroll_new(GTK_EVENT_CONTROLLER_SCROLL_VERTICAL)!
        gtk_event_controller_set_propagation_phase(scroll, GTK_PHASE_CAPTURE)
        gtk_widget_add_controller(widget, scroll)
        connect(scroll.object, "scroll", .scroll) { [weak self] event in
            guard let self, event.modifiers & GDK_CONTROL_MASK.rawValue != 0 else { return false }
            change(by: event.y < 0 ? 1.25 : 0.8)
            return true
        }
    }

    /// Shows the picture at `url`, and `thumbnail` until it has loaded.
    func show(_ url: URL, thumbnail: Image?) {
        setZoom(nil)
        picture.load(url, placeholder: thumbnail)
    }

    /// Changes the zoom by `factor`, starting from how large the picture is now.
    func change(by factor: Double) { setZoom(max(0.05, min(20, (zoom ?? fittingZoom) * factor))) }

    /// Sets the zoom; `nil` fits the picture into the page.
    func setZoom(_ newValue: Double?) {
        zoom = newValue
        let (width, height) = newValue.map(size) ?? (-1, -1)
        gtk_widget_set_size_request(picture.widget, width, height)
        gtk_widget_set_halign(picture.widget, newValue == nil ? GTK_ALIGN_FILL : GTK_ALIGN_CENTER)
        gtk_widget_set_valign(picture.widget, newValue == nil ? GTK_ALIGN_FILL : GTK_ALIGN_CENTER)
    }

    private var pixels: PixelSize { picture.shownBitmap?.size ?? PixelSize(1, 1) }

    private var scale: Double { Double(gtk_widget_get_scale_factor(widget)) }

    private func size(_ zoom: Double) -> (gint, gint) {
        (gint(Double(pixels.width) * zoom / scale), gint(Double(pixels.height) * zoom / scale))
    }

    private var fittingZoom: Double {
        min(
            Double(gtk_widget_get_width(widget)) / Double(pixels.width),
            Double(gtk_widget_get_height(widget)) / Double(pixels.height)) * scale
    }
}
