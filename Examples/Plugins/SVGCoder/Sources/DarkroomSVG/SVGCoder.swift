public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Draws SVG, by librsvg, at the size that is asked for.
///
/// Nothing outside of the file is ever loaded.
public struct SVGCoder: ImageCoder {
    private let allowsPictures: Bool

    /// A coder that refuses drawings with pictures of pixels in them, unless it `allowsPictures`.
    ///
    /// Such pictures are decoded by another library, whatever Darkroom's limits say.
    public init(allowsPictures: Bool = false) { self.allowsPictures = allowsPictures }

    /// SVG alone.
    public var formats: [ImageFormat] { [.svg] }

    /// Whether it is XML in which `<svg` comes soon: no signature could tell.
    public func canDecode(_ data: Data) -> Bool {
        let start = String(decoding: data.prefix(4096), as: UTF8.self)
        let text = start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return text.hasPrefix("<") && text.contains("<svg") && !text.contains("<html")
    }

    /// The size that the drawing says it has; otherwise that of its view box, or else 300×150, as in a web page.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        var info = ImageInfo(
            format: .svg, storedSize: try SVGDrawing(request.data, allowsPictures: allowsPictures).size)
        info.hasAlpha = true
        info.isScalable = true
        return info
    }

    /// Draws at the size of the target, on nothing.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        // The size drawn may be larger than the drawing's own, which was checked.
        try request.context.limits.check(ImageInfo(format: .svg, storedSize: request.target))
        let drawing = try SVGDrawing(request.data, allowsPictures: allowsPictures)
        if let color = request.context.svgColor { try drawing.setColor(color) }
        try request.checkCancellation()
        return try drawing.bitmap(request)
    }
}
