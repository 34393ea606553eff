import DarkroomCore

/// Maps the pixels of a patch to palette indices, row by row from the top.
struct GIFIndexer {
    /// The palette of the indices.
    let palette: GIFPalette

    /// Finds the nearest colour if the palette was reduced.
    private var matcher: ColorMatcher?

    /// Creates an indexer for `palette`, which must contain all colours of the patch.
    init(_ palette: GIFPalette) { self.palette = palette }

    /// Creates an indexer for the colours of `patch`, reduced if there are too many.
    ///
    /// A patch whose transparent colour for unchanged pixels is one too many is replaced with the whole area.
    init(_ patch: inout GIFPatch, dithering: GIFDithering) throws {
        if let palette = try GIFPalette(patch) {
            self.init(palette)
        } else if let palette = try GIFPalette(patch.whole) {
            patch = patch.whole
            self.init(palette)
        } else {
            let histogram = try ColorHistogram(patch)
            let palette = try ColorReduction(histogram, checkCancellation: patch.checkCancellation).palette
            self.init(palette)
            matcher = ColorMatcher(palette, dithering: dithering, width: patch.area.width)
        }
    }

    /// Writes the palette index of each pixel of the next row to `indices`.
    mutating func lookUp(_ row: [GIFColor], into indices: inout [UInt8]) {
        guard matcher == nil else {
            matcher?.lookUp(row, into: &indices)
            return
        }
        for x in row.indices { indices[x] = palette.index(of: row[x]) ?? 0 }
    }
}
