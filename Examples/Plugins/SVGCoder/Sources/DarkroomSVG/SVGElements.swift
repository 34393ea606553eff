import DarkroomCore

/// Scans the elements of a drawing, refuses those whose cost is unbounded, and computes what drawing the others takes.
struct SVGElements {
    private struct Parent {
        let node: Int
        /// The node of the paints that elements in it inherit.
        let paint: Int?
        let isFilter: Bool
    }

    private struct Rule {
        var paint: Int?
        var effect: Int?
        var layerCount = 0
    }

    /// The maximum depth. librsvg needs about 5 KiB of the stack for each level, of which a reference is one.
    private static let depthLimit = 100

    private var cursor: SVGCursor
    private let allowsImages: Bool
    private let sheets: SVGStyleSheets
    private var graph = SVGCostGraph()
    private var rules: [SVGSelector: Rule] = [:]
    /// The nodes of all elements with an identifier.
    private var targets: [String: Int] = [:]
    private var parents: [Parent] = []
    private var root: Int?

    /// Creates a scan of `text`, to whose elements `sheets` apply.
    init(
        _ text: [UInt8], sheets: SVGStyleSheets, allowsImages: Bool, for request: InfoRequest
    ) throws(ImageError) {
        cursor = SVGCursor(text, for: request)
        self.allowsImages = allowsImages
        self.sheets = sheets
        for (selector, indices) in sheets.rules {
            rules[selector] = try rule(indices.map { sheets.styles[$0] })
        }
    }

    /// Scans all elements, and returns the cost of the root.
    ///
    /// - Throws: An error of kind `unsupported` for refused constructs, and `incomplete` if elements are not closed.
    mutating func cost() throws(ImageError) -> SVGCost {
        while try cursor.moveToMarkup() {
            if cursor.skipPlainText() { continue }
            if cursor.isAt("<!") {
                try checkDeclaration()
            } else if cursor.isAt("</") {
                _ = parents.popLast()
                cursor.skip(past: ">")
            } else {
                try readElement()
            }
        }
        guard parents.isEmpty else { throw ImageError(.incomplete, .decode, "the SVG ends before its last element") }
        guard let root else { return SVGCost() }
        guard let cost = graph.cost(of: root) else { throw .unsupportedSVG("has elements that refer to themselves") }
        try Self.check(depth: cost.depth)
        return cost
    }

    private static func check(depth: Int) throws(ImageError) {
        guard depth <= depthLimit else {
            throw .unsupportedSVG("nests elements and references \(depth) deep, and the limit is \(depthLimit)")
        }
    }

    /// Refuses declarations outside the document type, which are no part of XML.
    private mutating func checkDeclaration() throws(ImageError) {
        let end = cursor.endOfTag()
        guard !cursor.text[cursor.position..<end].contains(UInt8(ascii: "[")) else {
            throw .unsupportedSVG("declares entities outside its document type")
        }
        cursor.position = end
    }

    private mutating func readElement() throws(ImageError) {
        let tag = SVGTag(at: cursor)
        cursor.position = tag.end
        let element = try SVGElement(tag, allowsImages: allowsImages, &cursor)
        let rules = rules(for: element)
        let layerCount = rules.reduce(sheets.layerCount(of: element.style)) { max($0, $1.layerCount) }
        let node = try graph.addNode(element.cost(layerCount: layerCount), isGuard: element.isGuard)
        try connect(node, of: element)
        var paint = parents.last?.paint
        if !element.isGradient {
            let effects = try nodes(named: element.style.effects) + rules.compactMap(\.effect)
            for effect in element.belongsToFilter ? [] : effects { try graph.addEdge(from: node, to: effect) }
            for link in try nodes(named: element.links) { try graph.addEdge(from: node, to: link) }
            let paints = try nodes(named: element.style.paints) + rules.compactMap(\.paint)
            if let own = try union(of: paints) {
                if let paint { try graph.addEdge(from: own, to: paint) }
                paint = own
            }
            if let paint, !element.belongsToFilter, !paints.isEmpty || element.inheritsElsewhere {
                try graph.addEdge(from: node, to: paint, isPaint: true)
            }
        }
        guard !tag.isEmpty else { return }
        parents.append(Parent(node: node, paint: paint, isFilter: element.name == "filter"))
        try Self.check(depth: parents.count)
    }

    /// Connects the node of an element to the elements around it and to its identifiers.
    private mutating func connect(_ node: Int, of element: SVGElement) throws(ImageError) {
        if root == nil { root = node }
        let parent = parents.last
        if let parent, !element.isDrawnElsewhere { try graph.addEdge(from: parent.node, to: node) }
        if let parent, parent.isFilter, element.hasResult { graph.addLayer(to: parent.node) }
        for id in element.ids {
            let target = try self.target(id)
            try graph.addEdge(from: target, to: node)
            // An image of an element in a filter inherits as the element does.
            if allowsImages, let paint = parent?.paint { try graph.addEdge(from: target, to: paint, isPaint: true) }
        }
    }

    private func rules(for element: SVGElement) -> [Rule] {
        guard !rules.isEmpty else { return [] }
        var selectors: [SVGSelector] = [.any, .name(element.name)]
        selectors += element.ids.map { .id($0) }
        selectors += element.classes.map { .className($0) }
        return selectors.compactMap { rules[$0] }
    }

    private mutating func rule(_ styles: [SVGStyle]) throws(ImageError) -> Rule {
        var rule = Rule()
        for style in styles { rule.layerCount = max(rule.layerCount, sheets.layerCount(of: style)) }
        rule.paint = try union(of: nodes(named: styles.flatMap(\.paints)))
        rule.effect = try union(of: nodes(named: styles.flatMap(\.effects)))
        return rule
    }

    /// Returns a node that draws all `nodes`; `nil` if there are none.
    private mutating func union(of nodes: [Int]) throws(ImageError) -> Int? {
        guard !nodes.isEmpty else { return nil }
        let union = try graph.addNode()
        for node in nodes { try graph.addEdge(from: union, to: node) }
        return union
    }

    private mutating func nodes(named names: [String]) throws(ImageError) -> [Int] {
        var nodes: [Int] = []
        for name in names { nodes.append(try target(name)) }
        return nodes
    }

    /// Returns the node of all elements with an identifier, which may follow later.
    private mutating func target(_ name: String) throws(ImageError) -> Int {
        if let node = targets[name] { return node }
        let node = try graph.addNode()
        targets[name] = node
        return node
    }
}
