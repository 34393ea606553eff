/// The parameters of a resampling operation and its memory needs.
struct ResamplingPlan {
    let source: PixelSize
    let target: PixelSize
    let horizontal: ResamplingAxis
    let vertical: ResamplingAxis
    let hasAlpha: Bool
    let inLinearLight: Bool

    /// The number of rows resized at once.
    static let rowsAtOnce = 4

    /// The number of resized rows to hold: those of a window, and a batch whose last rows the window may not need yet.
    var heldRowCount: Int { (vertical.windowCount + Self.rowsAtOnce).roundedUp(to: Self.rowsAtOnce) }

    /// Whether values are floating-point numbers.
    var usesSinglePrecision: Bool { inLinearLight && hasAlpha }

    var isAveraging: Bool { horizontal.averagedCount > 1 || vertical.averagedCount > 1 }

    /// The estimated memory of resampling: the target, weights, a source row, a batch of averages, and resized rows.
    var byteCount: Int {
        let pixel = usesSinglePrecision ? 16.0 : 8.0
        let weights = byteCount(of: horizontal, weight: pixel / 4) + byteCount(of: vertical, weight: pixel / 4)
        // A row of sums of 32 bits or of products, or the rows resized at once.
        let row = isAveraging || !usesSinglePrecision ? Double(source.width) * 16 : 0
        let batch = Double(horizontal.sourceCount + horizontal.windowCount / 2) * pixel * Double(Self.rowsAtOnce)
        let resized = Double(target.width) * Double(heldRowCount) * pixel
        let pixels = Double(target.width) * Double(target.height) * 4
        return Int(exactly: (weights + row + batch + resized + pixels).rounded()) ?? .max
    }

    /// Returns the bytes of the exact weights, the rounded weights with padding, and the starts.
    private func byteCount(of axis: ResamplingAxis, weight: Double) -> Double {
        let window = Double(axis.windowCount)
        return Double(axis.targetCount) * (window * 8 + (window + 4) * weight + 4)
    }
}
