import DarkroomCore

/// The cost of drawing an element: the depth to which librsvg recurses, and the surfaces that it holds at the same time.
struct SVGCost {
    /// The number of elements within each other, and 1 more for each reference.
    var depth = 0
    /// The number of surfaces as large as the canvas.
    var layerCount = 0

    /// The cost of one element in another.
    static func + (outer: SVGCost, inner: SVGCost) -> SVGCost {
        // Costs may double with each reference. Far less is refused.
        let limit = 1 << 30
        return SVGCost(
            depth: min(outer.depth + inner.depth, limit), layerCount: min(outer.layerCount + inner.layerCount, limit))
    }

    /// Increases the cost to that of another element beside this one.
    mutating func include(_ other: SVGCost) {
        depth = max(depth, other.depth)
        layerCount = max(layerCount, other.layerCount)
    }
}

/// A graph whose nodes are elements and sets of elements, and whose edges end at what is drawn within them.
struct SVGCostGraph {
    private struct Edge {
        let start: Int
        let isPaint: Bool
        /// The next edge to the same node; -1 for none.
        let next: Int
    }

    /// The maximum number of nodes and edges. librsvg itself accepts a million elements.
    private static let sizeLimit = 4_000_000

    private var costs: [SVGCost] = []
    private var edges: [Edge] = []
    /// The edge that was added last to each node; -1 for none.
    private var lastEdges: [Int] = []
    /// The nodes of elements that librsvg does not draw within themselves.
    private var guards: [Int] = []

    /// Adds a node with a cost of its own.
    mutating func addNode(_ cost: SVGCost = SVGCost(), isGuard: Bool = false) throws(ImageError) -> Int {
        try checkSize()
        if isGuard { guards.append(costs.count) }
        costs.append(cost)
        lastEdges.append(-1)
        return costs.count - 1
    }

    /// Adds an edge. What the end of a paint draws may also be drawn within all else in the start, which inherits it.
    mutating func addEdge(from start: Int, to end: Int, isPaint: Bool = false) throws(ImageError) {
        try checkSize()
        edges.append(Edge(start: start, isPaint: isPaint, next: lastEdges[end]))
        lastEdges[end] = edges.count - 1
    }

    /// Adds a surface to the cost of a node.
    mutating func addLayer(to node: Int) { costs[node].layerCount += 1 }

    private func checkSize() throws(ImageError) {
        guard costs.count + edges.count < Self.sizeLimit else {
            throw .unsupportedSVG("has too many elements and references")
        }
    }

    /// Returns the cost of a node with all that is drawn within it; `nil` if librsvg would draw it within itself.
    func cost(of root: Int) -> SVGCost? {
        var openCounts = [Int](repeating: 0, count: costs.count)
        for edge in edges { openCounts[edge.start] += 1 }
        var contents = [SVGCost](repeating: SVGCost(), count: costs.count)
        var paints = contents
        var lastEdges = self.lastEdges
        var ready = costs.indices.filter { openCounts[$0] == 0 }

        func sum(_ node: Int) -> SVGCost { costs[node] + contents[node] + paints[node] }
        // Removes the edges to a node, and includes `cost` in what is drawn at their starts.
        func removeEdges(to node: Int, _ cost: SVGCost) {
            while lastEdges[node] >= 0 {
                let edge = edges[lastEdges[node]]
                lastEdges[node] = edge.next
                if edge.isPaint { paints[edge.start].include(cost) } else { contents[edge.start].include(cost) }
                openCounts[edge.start] -= 1
                if openCounts[edge.start] == 0 { ready.append(edge.start) }
            }
        }

        while let node = ready.popLast() { removeEdges(to: node, sum(node)) }
        // librsvg draws each guard at most once at a time. Together, they reach no deeper than the sum up to each next one.
        let recurring = openCounts[root] == 0 ? [] : guards.filter { openCounts[$0] > 0 }
        for node in recurring { removeEdges(to: node, SVGCost()) }
        while let node = ready.popLast() { removeEdges(to: node, sum(node)) }
        guard openCounts[root] == 0, recurring.allSatisfy({ openCounts[$0] == 0 }) else { return nil }
        return recurring.reduce(sum(root)) { $0 + sum($1) }
    }
}
