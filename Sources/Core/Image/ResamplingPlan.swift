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

    /// Whether whole numbers do: there is no alpha to multiply with, and the values stay what they are.
    var isPlain: Bool { !hasAlpha && !inLinearLight }

    var isAveraging: Bool { horizontal.averagedCount > 1 || vertical.averagedCount > 1 }

    /// About what resizing holds: the target, weights, a row of the source, a batch of averages, and resized rows.
    var byteCount: Int {
        let pixel = isPlain ? 8.0 : 16.0
        let weightCount = [horizontal, vertical].reduce(0) {
            $0 + Double($1.targetCount) * (Double($1.windowCount) + 4)
        }
        let row = isAveraging ? Double(source.width) * 16 : 0
        let batch = Double(horizontal.sourceCount + horizontal.windowCount) * pixel * Double(Self.rowsAtOnce)
        let resized = Double(target.width) * Double(heldRowCount) * pixel
        let pixels = Double(target.width) * Double(target.height) * 4
        return Int(exactly: (weightCount * pixel / 4 + row + batch + resized + pixels).rounded()) ?? .max
    }
}
