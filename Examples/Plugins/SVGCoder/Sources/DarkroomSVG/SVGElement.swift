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
    /// Whether it may be a clip path in units of the box of the element that it clips.
    private(set) var hasBoxUnits = false

    /// Reads the attributes of an element, each a step of `cursor`, and refuses what librsvg would load.
    init(_ tag: SVGTag, allowsImages: Bool, _ cursor: inout SVGCursor) throws(ImageError) {
        name = tag.name
        guard allowsImages || !["image", "feImage"].contains(name) else {
            throw .unsupportedSVG("contains images; allow them with SVGCoder(allowsImages: true)")
        }
        guard name != "include" else { throw .unsupportedSVG("includes other documents") }
        var (content, count) = (tag.content, 0)
        while let attribute = SVGAttribute(removedFrom: &content) {
            count += 1
            try SVGCursor.check(count, "attributes in a tag")
            try read(attribute, &cursor)
        }
    }

    private mutating func read(_ attribute: SVGAttribute, _ cursor: inout SVGCursor) throws(ImageError) {
        try cursor.step()
        switch attribute.name {
        case "href": try readLink(attribute.value)
        case "id": ids.append(String(decoding: attribute.value, as: UTF8.self))
        case "class":
            let names = String(decoding: attribute.value, as: UTF8.self).unicodeScalars
                .split(maxSplits: SVGCursor.partLimit, whereSeparator: \.properties.isWhitespace)
            try SVGCursor.check(names.count, "classes of an element")
            for name in names {
                try cursor.step()
                classes.insert(String(name))
            }
        case "clipPathUnits": hasBoxUnits = hasBoxUnits || !attribute.value.elementsEqual("userSpaceOnUse".utf8)
        case "style": style.add(try SVGStyleReader(attribute.value, &cursor).style)
        case "result": hasResult = true
        case let property where SVGStyle.properties.contains(property):
            style.add(try SVGStyleReader(Array("\(property):".utf8) + attribute.value, &cursor).style)
        default: break
        }
    }

    private mutating func readLink(_ url: [UInt8]) throws(ImageError) {
        // Links of other elements are not followed.
        guard isGradient || ["feImage", "pattern", "tref", "use"].contains(name) else { return }
        let mark = url.lastIndex(of: UInt8(ascii: "#"))
        if url.isDataURL {
            guard name == "feImage", mark == nil else { throw .dataURLInSVG }
        } else if let mark, !isGradient {
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

    /// Whether it is a filter or a part of one, to which clip paths, masks, filters and paints do not apply.
    var belongsToFilter: Bool { name == "filter" || name.hasPrefix("fe") }

    /// Whether librsvg refuses to draw it within itself.
    var isGuard: Bool { name == "clipPath" || inheritsElsewhere }

    /// Whether it inherits the styles of the elements around it where others refer to it.
    var inheritsElsewhere: Bool { ["marker", "mask", "pattern"].contains(name) }
}
