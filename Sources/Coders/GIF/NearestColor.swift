/// Finds the nearest of a set of opaque colours.
struct NearestColor {
    /// The colours, sorted by green.
    let colors: [GIFColor]

    private let channels: [SIMD4<Int32>]
    /// For each green value, the index of the first colour with at least that much green.
    private let starts: [Int]

    /// Creates a search among `colors`, which must not be empty or contain the transparent colour.
    init(_ colors: [GIFColor]) {
        self.colors = colors.sorted { ($0.green, $0.bits) < ($1.green, $1.bits) }
        let channels = self.colors.map(\.channels)
        self.channels = channels
        starts = (0..<256).map { green in channels.firstIndex { $0.y >= green } ?? channels.count }
    }

    /// Returns the index of the colour nearest to `wanted`, whose channels are from 0 to 255.
    func index(of wanted: SIMD4<Int32>) -> Int {
        var (best, distance) = (0, Int32.max)
        let start = starts[Int(wanted.y)]
        func isNearEnough(_ index: Int) -> Bool {
            let difference = channels[index] &- wanted
            let green = difference.y &* difference.y
            guard green < distance else { return false }
            let sum = green &+ difference.x &* difference.x &+ difference.z &* difference.z
            if sum < distance { (best, distance) = (index, sum) }
            return true
        }
        // Searches from this green in both directions, until green alone is too far away.
        for index in start..<colors.count where !isNearEnough(index) { break }
        for index in (0..<start).reversed() where !isNearEnough(index) { break }
        return best
    }
}
