import CGTK
import DarkroomCore
import DarkroomGTK

/// The pixels of a window, as its renderer draws them.
@MainActor
enum WindowPixels {
    /// Returns the name of the type that draws `window`; `nil` if it is not shown.
    static func rendererName(of window: Widget) -> String? {
        guard let renderer = gtk_native_get_renderer(window.opaque) else { return nil }
        return g_type_name_from_instance(UnsafeMutablePointer(renderer)).map { String(cString: $0) }
    }

    /// Returns the pixels of `window`, which GTK can draw only while nothing waits for its layout; `nil` if it is not shown.
    static func bitmap(of window: Widget) async -> Bitmap? {
        var bitmap: Bitmap?
        await Frames(widget: window).until(within: 60) {
            bitmap = current(of: window)
            return bitmap != nil
        }
        return bitmap
    }

    private static func current(of window: Widget) -> Bitmap? {
        let (width, height) = (gtk_widget_get_width(window), gtk_widget_get_height(window))
        guard width > 0, height > 0, let paintable = gtk_widget_paintable_new(window),
            let renderer = gtk_native_get_renderer(window.opaque)
        else { return nil }
        defer { g_object_unref(paintable.object) }
        let snapshot = gtk_snapshot_new()
        gdk_paintable_snapshot(paintable, snapshot, Double(width), Double(height))
        guard let node = gtk_snapshot_free_to_node(snapshot) else { return nil }
        defer { gsk_render_node_unref(node) }
        var area = graphene_rect_t(
            origin: graphene_point_t(x: 0, y: 0), size: graphene_size_t(width: Float(width), height: Float(height)))
        guard let texture = gsk_renderer_render_texture(renderer, node, &area) else { return nil }
        defer { g_object_unref(texture.object) }
        return bitmap(of: texture)
    }

    private static func bitmap(of texture: OpaquePointer) -> Bitmap? {
        let size = PixelSize(Int(gdk_texture_get_width(texture)), Int(gdk_texture_get_height(texture)))
        // Premultiplied, blue first.
        var bytes = [UInt8](repeating: 0, count: size.byteCount ?? 0)
        gdk_texture_download(texture, &bytes, gsize(size.width * 4))
        return try? Bitmap(size, hasAlpha: false) { pixels in
            for offset in stride(from: 0, to: bytes.count, by: 4) {
                pixels[offset] = bytes[offset + 2]
                pixels[offset + 1] = bytes[offset + 1]
                pixels[offset + 2] = bytes[offset]
                pixels[offset + 3] = 255
            }
        }
    }
}
