/// Finds the index in a palette for each pixel, row by row from the top, with or without error diffusion.
///
/// Opaque pixels become opaque, and transparent ones transparent, if the palette has such colours.
package struct PaletteMatcher {
    private var search: PaletteSearch
    private var diffusion: ErrorDiffusion?

    /// Creates a matcher for rows of `width` pixels. `dithering` is its strength, from 0 (none) to 1.
    package init(_ colors: [PackedColor], dithering: Double, width: Int) {
        search = PaletteSearch(colors)
        diffusion = dithering > 0 ? ErrorDiffusion(strength: Float(dithering), width: width) : nil
    }

    /// Writes the index of each pixel of the next row to `indices`. A pixel that is the same in `previous`, if given, keeps
    /// its index.
    package mutating func lookUp(_ row: [PackedColor], previous: [PackedColor]? = nil, into indices: inout [UInt8]) {
        guard diffusion == nil else {
            diffusion?.lookUp(row, previous: previous, in: &search, into: &indices)
            return
        }
        for x in row.indices where previous?[x] != row[x] {
            indices[x] = UInt8(search.index(of: row[x], at: ColorPoint(row[x])))
        }
    }
}

/// Finds the nearest colour of a palette.
struct PaletteSearch {
    /// The points of the palette.
    let points: [ColorPoint]

    private let transparentIndex: Int?
    private var opaque: PaletteGroup
    private var all: PaletteGroup

    /// Creates a search among `colors`, of which there must be at least one.
    init(_ colors: [PackedColor]) {
        points = colors.map { ColorPoint($0) }
        transparentIndex = colors.firstIndex(of: .transparent)
        let opaqueIndices = colors.indices.filter { colors[$0].isOpaque }
        all = PaletteGroup(Array(colors.indices), of: points)
        opaque = opaqueIndices.isEmpty ? all : PaletteGroup(opaqueIndices, of: points)
    }

    /// Returns the index for a pixel of `color` that should be shown as `wanted`.
    mutating func index(of color: PackedColor, at wanted: ColorPoint) -> Int {
        if color.isOpaque { return opaque.index(nearestTo: wanted) }
        if color == .transparent, let transparentIndex { return transparentIndex }
        return all.index(nearestTo: wanted)
    }
}

/// The colours of a palette among which the nearest one is sought.
///
/// Sorting the neighbours of each colour is worth its time for all pixels of a picture. For the few colours of a histogram,
/// whose palette changes with each round, `NearestColor` needs no such preparation.
private struct PaletteGroup {
    private struct Neighbor {
        var distance: Float = 0
        var index: Int32 = 0
    }

    private let points: [ColorPoint]
    private let indices: [Int]
    /// For each point, all others in the order of their distance; sorted when they are first needed.
    private var neighbors: [Neighbor]
    private var isSorted: [Bool]
    /// The place that was found last for each group of similar colours, which agree in five bits of each channel.
    private var guesses = [UInt8](repeating: 0, count: 1 << 15)

    init(_ indices: [Int], of points: [ColorPoint]) {
        self.indices = indices
        self.points = indices.map { points[$0] }
        neighbors = Array(repeating: Neighbor(), count: indices.count * (indices.count - 1))
        isSorted = Array(repeating: false, count: indices.count)
    }

    /// Returns the index of the colour nearest to `wanted`: what was found for a similar colour, or one of its neighbours.
    mutating func index(nearestTo wanted: ColorPoint) -> Int {
        let cell = (wanted + 128).clamped(lowerBound: .zero, upperBound: ColorPoint(repeating: 255)) / 8
        let key = Int(cell.x) | Int(cell.y) << 5 | Int(cell.z) << 10
        let guess = Int(guesses[key])
        if !isSorted[guess] { sortNeighbors(of: guess) }
        var (best, squared) = (guess, points[guess].squaredDistance(to: wanted))
        let start = squared.squareRoot()
        // A neighbour farther from the guess than this cannot be nearer to the point.
        var reach = 2 * start
        for place in (guess * (points.count - 1))..<((guess + 1) * (points.count - 1)) {
            let neighbor = neighbors[place]
            if neighbor.distance >= reach { break }
            let other = points[Int(neighbor.index)].squaredDistance(to: wanted)
            if other < squared {
                (best, squared) = (Int(neighbor.index), other)
                reach = start + other.squareRoot()
            }
        }
        guesses[key] = UInt8(best)
        return indices[best]
    }

    private mutating func sortNeighbors(of index: Int) {
        isSorted[index] = true
        var sorted: [Neighbor] = []
        sorted.reserveCapacity(points.count - 1)
        for other in points.indices where other != index {
            let distance = points[other].squaredDistance(to: points[index]).squareRoot()
            sorted.append(Neighbor(distance: distance, index: Int32(other)))
        }
        sorted.sort { ($0.distance, $0.index) < ($1.distance, $1.index) }
        let start = index * sorted.count
        neighbors.replaceSubrange(start..<(start + sorted.count), with: sorted)
    }
}
