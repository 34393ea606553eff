/// Finds the nearest of a set of points.
struct NearestColor {
    /// The points in the order of their lightness.
    private let points: [ColorPoint]
    private let lightnesses: [Float]
    /// The index of each point in the order in which they were given, and the place in `points` of each index.
    private let indices: [Int]
    private let places: [Int]

    /// Creates a search among `points`, of which there must be at least one.
    init(_ points: [ColorPoint]) {
        let sorted = points.indices.sorted { (points[$0].lightness, $0) < (points[$1].lightness, $1) }
        indices = sorted
        self.points = sorted.map { points[$0] }
        lightnesses = self.points.map(\.lightness)
        places = sorted.enumerated().reduce(into: Array(repeating: 0, count: points.count)) {
            $0[$1.element] = $1.offset
        }
    }

    /// Returns the index of the point nearest to `wanted`. The nearer the point with the index `guess` is, the faster is
    /// the search.
    func index(nearestTo wanted: ColorPoint, guess: Int) -> Int {
        let (lightness, start) = (wanted.lightness, places[guess])
        var (best, distance) = (start, points[start].squaredDistance(to: wanted))
        // Searches in both directions, until the lightness alone differs too much.
        for place in points.indices[start...].dropFirst() {
            let gap = lightnesses[place] - lightness
            if gap > 0, gap * gap >= distance { break }
            let other = points[place].squaredDistance(to: wanted)
            if other < distance { (best, distance) = (place, other) }
        }
        for place in (0..<start).reversed() {
            let gap = lightness - lightnesses[place]
            if gap > 0, gap * gap >= distance { break }
            let other = points[place].squaredDistance(to: wanted)
            if other < distance { (best, distance) = (place, other) }
        }
        return indices[best]
    }
}
