/// A reduced palette for an image with too many colours.
struct ColorReduction {
    /// The opaque colours, sorted by green, followed by the transparent one if there is any.
    let palette: GIFPalette

    /// Splits the box with the largest error until there are enough boxes, then moves each colour to the mean of the
    /// pixels nearest to it.
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
        for _ in 0..<3 { colors = try Self.moved(colors, within: histogram, checkCancellation: checkCancellation) }
        palette = GIFPalette(NearestColor(colors).colors + (histogram.hasTransparent ? [.transparent] : []))
    }

    /// Returns the mean of the pixels nearest to each of `colors`. A colour without any pixels stays unchanged.
    private static func moved(
        _ colors: [GIFColor], within histogram: ColorHistogram, checkCancellation: () throws -> Void
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
