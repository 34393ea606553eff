import DarkroomCore
import DarkroomQuantizing

/// Maps the pixels of a patch to palette indices, row by row from the top.
struct GIFIndexer {
    /// The palette of the indices.
    let palette: ColorTable

    /// Finds the nearest colour if the palette was reduced.
    private var matcher: PaletteMatcher?

    /// Creates an indexer for `palette`, which must contain all colours of the patch.
    init(_ palette: ColorTable) { self.palette = palette }

    /// Creates an indexer for the colours of `patch`, reduced if there are too many.
    ///
    /// A patch whose transparent colour for unchanged pixels is one too many is replaced with the whole area.
    init(_ patch: inout GIFPatch, reduction: GIFReduction) throws {
        if let palette = try ColorTable(patch, capacity: reduction.colorCount) {
            self.init(palette)
        } else if let palette = try ColorTable(patch.whole, capacity: reduction.colorCount) {
            patch = patch.whole
            self.init(palette)
        } else {
            var histogram = ColorHistogram()
            try patch.forEachRow { row in
                histogram.insert(row)
                return true
            }
            let colors = try PaletteReduction.colors(
                for: histogram, count: reduction.colorCount, checkCancellation: patch.checkCancellation)
            self.init(ColorTable(colors))
            matcher = PaletteMatcher(colors, dithering: reduction.dithering, width: patch.area.width)
        }
    }

    /// Writes the palette index of each pixel of the next row to `indices`.
    mutating func lookUp(_ row: [PackedColor], into indices: inout [UInt8]) {
        guard matcher == nil else {
            matcher?.lookUp(row, into: &indices)
            return
        }
        for x in row.indices { indices[x] = palette.index(of: row[x]) ?? 0 }
    }
}
