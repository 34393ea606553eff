public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Renders SVG at the requested size, using librsvg.
///
/// Nothing outside the file is ever loaded.
public struct SVGCoder: ImageCoder {
    private let allowsImages: Bool

    /// Creates a coder that refuses drawings with embedded images, unless `allowsImages` is `true`.
    ///
    /// Embedded images are decoded by another library, without Darkroom's limits.
    public init(allowsImages: Bool = false) { self.allowsImages = allowsImages }

    /// SVG only.
    public var formats: [ImageFormat] { [.svg] }

    /// Returns whether the data is XML with `<svg` near its beginning; SVG has no signature.
    public func canDecode(_ data: Data) -> Bool {
        let start = String(decoding: data.prefix(4096), as: UTF8.self)
        let text = start.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        return text.hasPrefix("<") && text.contains("<svg") && !text.contains("<html")
    }

    /// Returns the size that the drawing declares; otherwise that of its view box, or else 300×150, as in a web page.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        let outline = try SVGOutline(request, allowsImages: allowsImages)
        request.cacheOutline(outline)
        var info = ImageInfo(format: .svg, storedSize: try SVGDrawing(outline).size)
        info.hasAlpha = true
        info.isScalable = true
        return info
    }

    /// Renders at the target size on a transparent background.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        // The target may be larger than the drawing's own size, which has been checked already.
        try request.context.limits.check(ImageInfo(format: .svg, storedSize: request.target))
        let outline = try request.outline { try SVGOutline($0, allowsImages: allowsImages) }
        let drawing = try SVGDrawing(outline)
        if let color = request.context.svgColor { try drawing.setColor(color) }
        try request.checkCancellation()
        return try drawing.bitmap(request)
    }
}
