import CRSVG
import DarkroomCore

/// A drawing parsed by librsvg. Owned by one task.
@safe final class SVGDrawing {
    private let handle: UnsafeMutablePointer<RsvgHandle>
    private let layerCount: Int

    /// Parses a scanned drawing without a base URL, so that no external resource can be resolved.
    init(_ outline: SVGOutline) throws(ImageError) {
        layerCount = outline.layerCount
        var error: UnsafeMutablePointer<GError>?
        let handle = unsafe rsvg_handle_new_from_data(outline.text, gsize(outline.text.count), &error)
        guard let handle = unsafe handle else { throw unsafe ImageError(takingOver: error) }
        unsafe self.handle = handle
        unsafe rsvg_handle_set_dpi(handle, 96)
    }

    deinit { unsafe g_object_unref(handle) }

    /// The intrinsic size in whole pixels.
    var size: PixelSize {
        get throws(ImageError) {
            let (width, height) = exactSize
            guard let columns = Int(exactly: width.rounded(.up)), let rows = Int(exactly: height.rounded(.up)),
                columns > 0, rows > 0
            else { throw ImageError(.corrupt, .decode, "the SVG declares a size of \(width) by \(height)") }
            return PixelSize(columns, rows)
        }
    }

    /// Sets the meaning of `currentColor`, unless the drawing does.
    func setColor(_ color: Color) throws(ImageError) {
        let alpha = Double(color.alpha) / 255
        let style = Array("svg { color: rgba(\(color.red), \(color.green), \(color.blue), \(alpha)) }".utf8)
        var error: UnsafeMutablePointer<GError>?
        guard unsafe rsvg_handle_set_stylesheet(handle, style, gsize(style.count), &error) != 0 else {
            throw unsafe ImageError(takingOver: error)
        }
    }

    /// Renders the drawing at the target size.
    func bitmap(_ request: DecodeRequest) throws -> Bitmap {
        let target = request.target
        // cairo's pixels, librsvg's layers, and the resulting bitmap.
        let (byteCount, overflow) = (target.byteCount ?? .max).multipliedReportingOverflow(by: 2 + layerCount)
        try request.context.limits.check(decodedByteCount: overflow ? .max : byteCount)
        let surface = unsafe cairo_image_surface_create(
            CAIRO_FORMAT_ARGB32, CInt(clamping: target.width), CInt(clamping: target.height))
        defer { unsafe cairo_surface_destroy(surface) }
        try unsafe draw(on: surface, target)
        try request.checkCancellation()
        guard let pixels = unsafe cairo_image_surface_get_data(surface) else {
            throw ImageError(.unsupported, .decode, "an SVG cannot be drawn \(target) pixels large")
        }
        let stride = unsafe Int(cairo_image_surface_get_stride(surface))
        return try Bitmap(target, hasAlpha: true, limits: request.context.limits) { bitmap in
            for y in 0..<target.height {
                try request.checkCancellation()
                let row = unsafe UnsafeRawPointer(pixels + y * stride)
                for x in 0..<target.width {
                    let pixel = unsafe row.load(fromByteOffset: x * 4, as: UInt32.self)
                    bitmap.setPixel((y * target.width + x) * 4, premultiplied: pixel)
                }
            }
        }
    }

    private func draw(on surface: OpaquePointer?, _ target: PixelSize) throws(ImageError) {
        let canvas = unsafe cairo_create(surface)
        defer { unsafe cairo_destroy(canvas) }
        let (width, height) = exactSize
        // Scaling the viewport instead would make librsvg preserve the aspect ratio.
        unsafe cairo_scale(canvas, Double(target.width) / width, Double(target.height) / height)
        var viewport = RsvgRectangle(x: 0, y: 0, width: width, height: height)
        var error: UnsafeMutablePointer<GError>?
        guard unsafe rsvg_handle_render_document(handle, canvas, &viewport, &error) != 0 else {
            throw unsafe ImageError(takingOver: error)
        }
        unsafe cairo_surface_flush(surface)
    }

    private var exactSize: (width: Double, height: Double) {
        var (width, height) = (0.0, 0.0)
        if unsafe rsvg_handle_get_intrinsic_size_in_pixels(handle, &width, &height) != 0, width > 0, height > 0 {
            return (width, height)
        }
        var (hasWidth, hasHeight, hasViewBox) = (gboolean(), gboolean(), gboolean())
        var (boxWidth, boxHeight, box) = (RsvgLength(), RsvgLength(), RsvgRectangle())
        unsafe rsvg_handle_get_intrinsic_dimensions(
            handle, &hasWidth, &boxWidth, &hasHeight, &boxHeight, &hasViewBox, &box)
        return hasViewBox != 0 && box.width > 0 && box.height > 0 ? (box.width, box.height) : (300, 150)
    }
}

extension ImageError {
    /// Creates an error from librsvg's, which it frees.
    fileprivate init(takingOver error: UnsafeMutablePointer<GError>?) {
        let message = unsafe error?.pointee.message.map { unsafe String(cString: $0) }
        var error = unsafe error
        unsafe g_clear_error(&error)
        self.init(.corrupt, .decode, "the SVG cannot be drawn: \(message ?? "librsvg gave no reason")")
    }
}

extension MutableSpan<UInt8> {
    /// Writes four bytes with straight alpha from one of cairo's premultiplied ARGB words.
    fileprivate mutating func setPixel(_ start: Int, premultiplied word: UInt32) {
        let alpha = word >> 24
        guard alpha > 0 else { return }
        for (index, shift) in [UInt32(16), 8, 0].enumerated() {
            self[start + index] = UInt8(min(255, ((word >> shift & 255) * 255 + alpha / 2) / alpha))
        }
        self[start + 3] = UInt8(alpha)
    }
}
