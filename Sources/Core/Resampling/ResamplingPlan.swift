/// What a resampler is to do, and what that takes.
struct ResamplingPlan {
    let source: PixelSize
    let target: PixelSize
    let horizontal: ResamplingAxis
    let vertical: ResamplingAxis
    let hasAlpha: Bool
    let inLinearLight: Bool

    /// How many rows are resized at once.
    static let rowsAtOnce = 4

    /// How many resized rows are held: those of a window, and a whole batch whose last rows it may not need.
    var heldRowCount: Int { (vertical.windowCount + Self.rowsAtOnce).roundedUp(to: Self.rowsAtOnce) }

    var isAveraging: Bool { horizontal.averagedCount > 1 || vertical.averagedCount > 1 }

    /// About what resizing holds: the target, weights, a row of the source, a batch of averages, and resized rows.
    var byteCount: Int {
        let pixel = inLinearLight ? 16.0 : 8.0
        let weights = byteCount(of: horizontal, weight: pixel / 4) + byteCount(of: vertical, weight: pixel / 4)
        let row = isAveraging ? Double(source.width) * 16 : 0
        let batch = Double(horizontal.sourceCount + horizontal.windowCount / 2) * pixel * Double(Self.rowsAtOnce)
        let resized = Double(target.width) * Double(heldRowCount) * pixel
        let pixels = Double(target.width) * Double(target.height) * 4
        return Int(exactly: (weights + row + batch + resized + pixels).rounded()) ?? .max
    }

    /// Exact weights, those in use with some zeros, and a start.
    private func byteCount(of axis: ResamplingAxis, weight: Double) -> Double {
        let window = Double(axis.windowCount)
        return Double(axis.targetCount) * (window * 8 + (window + 4) * weight + 4)
    }
}
