/// Style declarations, as far as they decide what drawing an element takes.
struct SVGStyle {
    /// The properties that are read. They may also be attributes.
    static let properties: Set = [
        "clip-path", "fill", "filter", "isolation", "marker", "marker-end", "marker-mid", "marker-start", "mask",
        "mix-blend-mode", "opacity", "stroke",
    ]

    /// The patterns and markers with which the element paints, and all elements in it.
    private(set) var paints: [String] = []
    /// The clip paths, masks and filters of the element.
    private(set) var effects: [String] = []
    /// The number of surfaces that are held while the element is drawn.
    private(set) var layerCount = 0

    /// Whether the declarations do not matter.
    var isEmpty: Bool { paints.isEmpty && effects.isEmpty && layerCount == 0 }

    /// Adds a declaration, and the names of the elements to which its URLs refer.
    mutating func add(_ declaration: [UInt8], targets: [String]) {
        let name = declaration.prefix { $0 != UInt8(ascii: ":") }
        let property = String(decoding: Array(name.folded), as: UTF8.self)
        guard !targets.isEmpty || Self.properties.contains(property) else { return }
        if ["clip-path", "filter", "mask"].contains(property) { effects += targets } else { paints += targets }
        let value = String(decoding: Array(declaration[name.endIndex...].dropFirst().folded), as: UTF8.self)
        layerCount = max(layerCount, Self.layerCount(property, value))
    }

    /// Adds the declarations of `other`.
    mutating func add(_ other: SVGStyle) {
        paints += other.paints
        effects += other.effects
        layerCount = max(layerCount, other.layerCount)
    }

    private static func layerCount(_ property: String, _ value: String) -> Int {
        switch property {
        case "mask": value == "none" ? 0 : 1
        case "filter" where value == "none": 0
        // Functions such as drop-shadow need what a filter with several primitives needs.
        case "filter": value == "url()" ? 1 : 1 + SVGElement.filterLayerCount
        case "isolation": value == "auto" ? 0 : 1
        case "mix-blend-mode": value == "normal" ? 0 : 1
        case "opacity": (Double(value) ?? 0) >= 1 ? 0 : 1
        default: 0
        }
    }
}
