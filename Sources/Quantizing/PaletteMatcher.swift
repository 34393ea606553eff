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
    private var all: PaletteGroup?

    /// Creates a search among `colors`, of which there must be at least one.
    init(_ colors: [PackedColor]) {
        points = colors.map { ColorPoint($0) }
        transparentIndex = colors.firstIndex(of: .transparent)
        let opaqueIndices = colors.indices.filter { colors[$0].isOpaque }
        opaque = PaletteGroup(
            opaqueIndices.isEmpty ? Array(colors.indices) : opaqueIndices, of: points, isOpaque: !opaqueIndices.isEmpty)
    }

    /// Returns the index for a pixel of `color` that should be shown as `wanted`.
    mutating func index(of color: PackedColor, at wanted: ColorPoint) -> Int {
        if color.isOpaque { return opaque.index(nearestTo: wanted) }
        if color == .transparent, let transparentIndex { return transparentIndex }
        // Most pictures have no such pixels.
        if all == nil { all = PaletteGroup(Array(points.indices), of: points, isOpaque: false) }
        return all?.index(nearestTo: wanted) ?? 0
    }
}
