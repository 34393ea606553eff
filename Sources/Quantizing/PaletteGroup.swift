/// The colours of a palette among which the nearest one is sought, for all pixels of a picture.
///
/// Space is divided into cells, and a cell in which many colours may be the nearest one into eight smaller ones. Those colours
/// are found when a point of the cell is first sought, among those of the larger cell around it. For the few points of a
/// histogram, whose colours change with each round, `NearestColor` needs no such preparation.
struct PaletteGroup {
    /// A part of space with the colours that may be the nearest ones to its points: none until one is sought.
    private struct Cell {
        /// The range in `places`.
        var start: Int32 = 0
        var count: Int32 = 0
        /// The first one of the eight cells in it, or 0.
        var children: Int32 = 0
    }

    /// The number of colours of a cell above which it is divided.
    private static let largestCount = 12
    /// The number of cells at which none is divided any more, because they take memory.
    private static let cellLimit = 1 << 16
    /// The binary logarithms of the sides of cells before any is divided, and of the larger ones around them.
    private static let (sideBits, largeSideBits) = (4, 6)

    private let points: [ColorPoint]
    private let indices: [Int]
    private let isOpaque: Bool
    private var cells: [Cell]
    private var largeCells: [Cell]
    /// The places in `points` of the colours of all cells, after those of all colours.
    private var places: [UInt8]

    /// Creates a group of the colours with these indices, of which there must be at least one and at most 256. If it
    /// `isOpaque`, so are all of them, and all points that are sought.
    init(_ indices: [Int], of points: [ColorPoint], isOpaque: Bool) {
        self.indices = indices
        self.points = indices.map { points[$0] }
        self.isOpaque = isOpaque
        let count = { ColorPlace.cellCount(sideBits: $0, isOpaque: isOpaque) }
        cells = Array(repeating: Cell(), count: count(Self.sideBits))
        largeCells = Array(repeating: Cell(), count: count(Self.largeSideBits))
        places = self.points.indices.map { UInt8($0) }
    }

    /// Returns the index of the colour nearest to `wanted`, which must be a point that a colour can have.
    mutating func index(nearestTo wanted: ColorPoint) -> Int {
        let cell = cell(of: ColorPlace(wanted, isOpaque: isOpaque))
        var (best, squared) = (0, Float.infinity)
        for number in cell.start..<(cell.start + cell.count) {
            let place = Int(places[Int(number)])
            let other = points[place].squaredDistance(to: wanted)
            if other < squared { (best, squared) = (place, other) }
        }
        return indices[best]
    }

    /// Returns the smallest cell around `place`.
    private mutating func cell(of place: ColorPlace) -> Cell {
        var (number, bits) = (place.cell(sideBits: Self.sideBits), Self.sideBits)
        if cells[number].count == 0 { fill(number, around: place) }
        while cells[number].children > 0 {
            let outer = cells[number]
            bits -= 1
            number = Int(outer.children) + place.octant(sideBits: bits)
            if cells[number].count == 0 { cells[number] = filledCell(around: place, sideBits: bits, in: outer) }
        }
        return cells[number]
    }

    private mutating func fill(_ number: Int, around place: ColorPlace) {
        let large = place.cell(sideBits: Self.largeSideBits)
        if largeCells[large].count == 0 {
            let all = Cell(count: Int32(points.count))
            largeCells[large] = filledCell(around: place, sideBits: Self.largeSideBits, in: all)
        }
        cells[number] = filledCell(around: place, sideBits: Self.sideBits, in: largeCells[large])
    }

    /// Returns the cell around `place` with those colours of `outer` that may be the nearest one to one of its points.
    private mutating func filledCell(around place: ColorPlace, sideBits: Int, in outer: Cell) -> Cell {
        let bounds = ColorBounds(of: place, sideBits: sideBits, isOpaque: isOpaque)
        let range = Int(outer.start)..<Int(outer.start + outer.count)
        var limit = Float.infinity
        for number in range { limit = min(limit, bounds.largestSquaredDistance(to: points[Int(places[number])])) }
        var cell = Cell(start: Int32(places.count))
        for number in range {
            let place = places[number]
            // Rounding must not exclude the nearest one.
            if bounds.squaredDistance(to: points[Int(place)]) <= limit * 1.001 { places.append(place) }
        }
        cell.count = Int32(places.count) - cell.start
        if cell.count > Self.largestCount, sideBits > 0, sideBits <= Self.sideBits, cells.count < Self.cellLimit {
            cell.children = Int32(cells.count)
            cells += repeatElement(Cell(), count: 8)
        }
        return cell
    }
}

/// The coordinates of a point in whole numbers from 0 up: 8 bits for each channel, and 7 for the half of alpha, or 0 among
/// opaque colours.
private struct ColorPlace {
    let x, y, z, w: Int

    /// The binary logarithm of the extent of a cell along the fourth coordinate.
    static let depthBits = 4

    @inline(__always)
    init(_ point: ColorPoint, isOpaque: Bool) {
        func whole(_ value: Float, _ largest: Float) -> Int { Int(max(0, min(value, largest))) }
        x = whole(point.x + 128, 255)
        y = whole(point.y + 128, 255)
        z = whole(point.z + 128, 255)
        w = isOpaque ? 0 : whole(point.w, 127)
    }

    /// The number of cells with sides of 2 to the power of `sideBits`.
    static func cellCount(sideBits: Int, isOpaque: Bool) -> Int {
        1 << (3 * (8 - sideBits) + (isOpaque ? 0 : 7 - depthBits))
    }

    /// Returns the number of the cell.
    @inline(__always)
    func cell(sideBits: Int) -> Int {
        let bits = 8 - sideBits
        let channels = (x >> sideBits) | (y >> sideBits) << bits | (z >> sideBits) << (2 * bits)
        return channels | (w >> Self.depthBits) << (3 * bits)
    }

    /// Returns the number, from 0 to 7, of the cell in one that is twice as large.
    @inline(__always)
    func octant(sideBits: Int) -> Int {
        (x >> sideBits) & 1 | ((y >> sideBits) & 1) << 1 | ((z >> sideBits) & 1) << 2
    }
}

/// A part of the space of colours with edges along its axes.
private struct ColorBounds {
    let low, high: ColorPoint

    /// Creates the bounds of the cell around `place`, or of its opaque colours.
    init(of place: ColorPlace, sideBits: Int, isOpaque: Bool) {
        func low(_ coordinate: Int, _ bits: Int) -> Float { Float((coordinate >> bits) << bits) }
        let depth = isOpaque ? 0 : Float(1 << ColorPlace.depthBits)
        self.low = ColorPoint(
            low(place.x, sideBits) - 128, low(place.y, sideBits) - 128, low(place.z, sideBits) - 128,
            isOpaque ? ColorPoint.smallestOpaque.w : low(place.w, ColorPlace.depthBits))
        let side = Float(1 << sideBits)
        high = self.low + ColorPoint(side, side, side, depth)
    }

    /// Returns the square of the distance of `point` from the nearest point.
    func squaredDistance(to point: ColorPoint) -> Float {
        let raised = point.replacing(with: low, where: point .< low)
        return point.squaredDistance(to: raised.replacing(with: high, where: raised .> high))
    }

    /// Returns the square of the distance of `point` from the farthest point, which is a corner.
    func largestSquaredDistance(to point: ColorPoint) -> Float {
        point.squaredDistance(to: low.replacing(with: high, where: point .< (low + high) * 0.5))
    }
}
