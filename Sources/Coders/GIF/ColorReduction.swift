/// The colours that stand for all others of a picture.
struct ColorReduction {
    /// The opaque colours, darkest green first; then the transparent one, if there is any.
    let palette: GIFPalette

    /// Halves the box of most error until there are enough; then moves each colour to the middle of those nearest to it.
    init(_ histogram: ColorHistogram, checkCancellation: () throws -> Void) throws {
        var boxes = [ColorBox(histogram.bins)]
        while boxes.count < (histogram.hasTransparent ? 255 : 256) {
            try checkCancellation()
            let index = boxes.indices.max { boxes[$0].error < boxes[$1].error } ?? 0
            guard let halves = boxes[index].halves() else { break }
            boxes[index] = halves.0
            boxes.append(halves.1)
        }
        var colors = boxes.map(\.color)
        for _ in 0..<3 { colors = try Self.moved(colors, histogram, checkCancellation) }
        palette = GIFPalette(NearestColor(colors).colors + (histogram.hasTransparent ? [.transparent] : []))
    }

    /// The means of the pixels that are nearest to each of `colors`; a colour that is nearest to none stays.
    private static func moved(
        _ colors: [GIFColor], _ histogram: ColorHistogram, _ checkCancellation: () throws -> Void
    ) throws -> [GIFColor] {
        let nearest = NearestColor(colors)
        var sums = [SIMD4<Double>](repeating: .zero, count: nearest.colors.count)
        for bin in histogram.bins {
            try checkCancellation()
            sums[nearest.index(of: GIFColor(mean: bin.sums).channels)] += bin.sums
        }
        return zip(nearest.colors, sums).map { $1.w > 0 ? GIFColor(mean: $1) : $0 }
    }
}
