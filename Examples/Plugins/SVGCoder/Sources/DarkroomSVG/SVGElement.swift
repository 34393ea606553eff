import DarkroomCore

/// An element of a drawing, as far as it decides what drawing it takes.
struct SVGElement {
    /// The number of surfaces that a filter holds besides those of its results.
    static let filterLayerCount = 6

    /// The name without its prefix.
    let name: String
    /// The identifiers by which others may refer to it.
    private(set) var ids: [String] = []
    /// The names by which the rules of style sheets may apply to it.
    private(set) var classes: Set<String> = []
    /// The declarations in its own attributes.
    private(set) var style = SVGStyle()
    /// The elements that it draws.
    private(set) var links: [String] = []
    /// Whether it is a part of a filter whose result is kept until all others are done.
    private(set) var hasResult = false

    /// Reads the attributes of an element, and refuses what librsvg would load.
    init(_ tag: SVGTag, allowsImages: Bool) throws(ImageError) {
        name = tag.name
        guard allowsImages || !["image", "feImage"].contains(name) else {
            throw .unsupportedSVG("contains images; allow them with SVGCoder(allowsImages: true)")
        }
        guard name != "include" else { throw .unsupportedSVG("includes other documents") }
        for attribute in tag.attributes { try read(attribute) }
    }

    private mutating func read(_ attribute: SVGAttribute) throws(ImageError) {
        switch attribute.name {
        case "href": try readLink(attribute.value)
        case "id": ids.append(String(decoding: attribute.value, as: UTF8.self))
        case "class":
            let names = String(decoding: attribute.value, as: UTF8.self).unicodeScalars
            for name in names.split(whereSeparator: \.properties.isWhitespace) { classes.insert(String(name)) }
        case "style": style.add(try SVGStyleReader(attribute.value).style)
        case "result": hasResult = true
        case let property where SVGStyle.properties.contains(property):
            style.add(try SVGStyleReader(Array("\(property):".utf8) + attribute.value).style)
        default: break
        }
    }

    private mutating func readLink(_ url: [UInt8]) throws(ImageError) {
        let mark = url.lastIndex(of: UInt8(ascii: "#"))
        if url.isDataURL {
            guard name == "image" || (name == "feImage" && mark == nil) else { throw .dataURLInSVG }
        } else if let mark, ["feImage", "pattern", "tref", "use"].contains(name) {
            links.append(String(decoding: url[(mark + 1)...], as: UTF8.self))
        }
    }

    /// Returns what drawing the element takes, without the elements in it and those that it refers to, if its styles
    /// need `layerCount` surfaces.
    func cost(layerCount: Int) -> SVGCost {
        switch name {
        case _ where isGradient: SVGCost()
        case "marker", "use": SVGCost(depth: 2, layerCount: layerCount)
        case "mask", "pattern": SVGCost(depth: 2, layerCount: layerCount + 1)
        case "filter": SVGCost(depth: 2, layerCount: Self.filterLayerCount)
        default: SVGCost(depth: 1, layerCount: layerCount)
        }
    }

    /// Whether it is a gradient or a part of one, which draws nothing.
    var isGradient: Bool { ["linearGradient", "radialGradient", "stop"].contains(name) }

    /// Whether it is drawn only where others refer to it, and not where it is.
    var isDrawnElsewhere: Bool {
        ["clipPath", "defs", "filter", "symbol"].contains(name) || isGradient || inheritsElsewhere
    }

    /// Whether it inherits the styles of the elements around it where others refer to it.
    var inheritsElsewhere: Bool { ["marker", "mask", "pattern"].contains(name) }
}
