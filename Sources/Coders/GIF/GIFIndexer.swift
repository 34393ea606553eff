import DarkroomCore

/// Finds the index of each pixel of a patch, row by row from the top.
struct GIFIndexer {
    /// The colours that the indices mean.
    let palette: GIFPalette

    /// How indices are found when there were too many colours.
    private var matcher: ColorMatcher?

    /// Indices into `palette`, which has all colours of the patch.
    init(_ palette: GIFPalette) { self.palette = palette }

    /// Indices into the colours of `patch` where they are few enough, or else into those that stand for them.
    ///
    /// A patch of just too many, together with the transparent one for what is left out, is better drawn whole.
    init(_ patch: inout GIFPatch, _ dithering: GIFDithering) throws {
        if let palette = try GIFPalette(patch) {
            self.init(palette)
        } else if let palette = try GIFPalette(patch.whole) {
            patch = patch.whole
            self.init(palette)
        } else {
            let histogram = try ColorHistogram(patch)
            let palette = try ColorReduction(histogram, checkCancellation: patch.checkCancellation).palette
            self.init(palette)
            matcher = ColorMatcher(palette, dithering, width: patch.area.width)
        }
    }

    /// Writes the index of each pixel of the next row to `indices`.
    mutating func lookUp(_ row: [GIFColor], into indices: inout [UInt8]) {
        guard matcher == nil else {
            matcher?.lookUp(row, into: &indices)
            return
        }
        for x in row.indices { indices[x] = palette.index(of: row[x]) ?? 0 }
    }
}
