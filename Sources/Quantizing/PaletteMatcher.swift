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
private struct PaletteGroup {
    private let nearest: NearestColor
    private let indices: [Int]
    /// What was found last for similar colours, those that agree in five bits of each channel.
    private var guesses = [UInt8](repeating: 0, count: 1 << 15)

    init(_ indices: [Int], of points: [ColorPoint]) {
        self.indices = indices
        nearest = NearestColor(indices.map { points[$0] })
    }

    mutating func index(nearestTo wanted: ColorPoint) -> Int {
        let cell = (wanted + 128).clamped(lowerBound: .zero, upperBound: ColorPoint(repeating: 255)) / 8
        let key = Int(cell.x) | Int(cell.y) << 5 | Int(cell.z) << 10
        let place = nearest.index(nearestTo: wanted, guess: Int(guesses[key]))
        guesses[key] = UInt8(place)
        return indices[place]
    }
}
