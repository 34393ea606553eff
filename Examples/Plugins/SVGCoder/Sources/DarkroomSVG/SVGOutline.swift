import DarkroomCore

/// A drawing that was scanned before librsvg parses it, without constructs whose cost is unbounded.
struct SVGOutline: Sendable {
    /// The drawing in UTF-8, without its declaration and entities.
    let text: [UInt8]
    /// The number of surfaces as large as the canvas that librsvg holds besides it.
    let layerCount: Int

    /// Scans the drawing in `request.data`.
    ///
    /// - Throws: An error of kind `unsupported` for refused constructs, and `incomplete` if elements are not closed.
    init(_ request: InfoRequest, allowsImages: Bool) throws(ImageError) {
        text = try SVGEntities.replaced(in: SVGEncoding.text(of: request.data), for: request)
        let sheets = try SVGStyleSheets(in: text, for: request)
        var elements = try SVGElements(text, sheets: sheets, allowsImages: allowsImages, for: request)
        layerCount = try elements.cost().layerCount
    }
}

extension ImageError {
    /// The error for a drawing that would load another document from a URL that contains it.
    static var dataURLInSVG: ImageError { .unsupportedSVG("refers to a document in a data URL") }

    /// Returns the error for a drawing that has or does `what`.
    static func unsupportedSVG(_ what: String) -> ImageError {
        ImageError(.unsupported, .decode, "the SVG \(what)")
    }
}
