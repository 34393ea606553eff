import DarkroomCore
import DarkroomQuantizing

/// The permitted losses of a GIF: colours, and small changes from frame to frame.
struct GIFReduction {
    /// The most colours of a frame, the transparent one included.
    var colorCount: Int

    /// The largest difference of a channel of a pixel that is not drawn again.
    var tolerance: Int

    /// The strength of dithering, from 0 to 1.
    let dithering: Double

    /// Creates the reduction that `context` asks for. Throws an error of kind `unsupported` for values out of range.
    init(_ context: ImageContext) throws(ImageError) {
        colorCount = context.gifColorCount
        tolerance = context.gifFrameTolerance
        dithering = context.gifDithering
        try ImageError.check(colorCount, in: 2...256, name: "context.gifColorCount")
        try ImageError.check(tolerance, in: 0...255, name: "context.gifFrameTolerance")
        try ImageError.check(dithering, in: 0...1, name: "context.gifDithering")
    }

    /// This reduction and stronger ones for smaller files: fewer colours down to 16, then for animations more tolerance,
    /// and then fewer colours still.
    func steps(isAnimated: Bool) -> [GIFReduction] {
        var steps = SizeSearch.colorCounts(from: colorCount, to: min(16, colorCount)).map { with(colorCount: $0) }
        let fewest = steps[steps.count - 1].colorCount
        for tolerance in [8, 16, 32] where isAnimated && tolerance > self.tolerance {
            steps.append(with(colorCount: fewest, tolerance: tolerance))
        }
        let tolerance = steps[steps.count - 1].tolerance
        return steps + [8, 4, 2].filter { $0 < fewest }.map { with(colorCount: $0, tolerance: tolerance) }
    }

    private func with(colorCount: Int, tolerance: Int? = nil) -> GIFReduction {
        var reduction = self
        reduction.colorCount = colorCount
        reduction.tolerance = tolerance ?? reduction.tolerance
        return reduction
    }
}
