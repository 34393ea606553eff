import DarkroomCore

/// What drawing an element takes: how deep librsvg recurses, and what it holds at the same time.
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

    /// Adds a node with a cost of its own.
    mutating func addNode(_ cost: SVGCost = SVGCost()) throws(ImageError) -> Int {
        try checkSize()
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

    /// Returns the cost of a node with all that is drawn within it; `nil` if it is part of that itself.
    func cost(of root: Int) -> SVGCost? {
        var openCounts = [Int](repeating: 0, count: costs.count)
        for edge in edges { openCounts[edge.start] += 1 }
        var contents = [SVGCost](repeating: SVGCost(), count: costs.count)
        var paints = contents
        var ready = costs.indices.filter { openCounts[$0] == 0 }
        while let node = ready.popLast() {
            let cost = costs[node] + contents[node] + paints[node]
            if node == root { return cost }
            var index = lastEdges[node]
            while index >= 0 {
                let edge = edges[index]
                if edge.isPaint { paints[edge.start].include(cost) } else { contents[edge.start].include(cost) }
                openCounts[edge.start] -= 1
                if openCounts[edge.start] == 0 { ready.append(edge.start) }
                index = edge.next
            }
        }
        return nil
    }
}
