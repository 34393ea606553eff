/// Finds the nearest of some opaque colours.
struct NearestColor {
    /// The colours, darkest green first.
    let colors: [GIFColor]

    private let channels: [SIMD4<Int32>]
    /// For each green the first colour that has as much.
    private let starts: [Int]

    /// Finds among `colors`, of which there is one at least, and none is transparent.
    init(_ colors: [GIFColor]) {
        self.colors = colors.sorted { ($0.green, $0.bits) < ($1.green, $1.bits) }
        let channels = self.colors.map(\.channels)
        self.channels = channels
        starts = (0..<256).map { green in channels.firstIndex { $0.y >= green } ?? channels.count }
    }

    /// The index of the colour nearest to one of these channels, each from 0 to 255.
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
        // From the same green on, both ways, for as long as green alone is not too far away.
        for index in start..<colors.count where !isNearEnough(index) { break }
        for index in (0..<start).reversed() where !isNearEnough(index) { break }
        return best
    }
}
