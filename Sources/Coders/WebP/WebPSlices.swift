import DarkroomCore

/// Which bytes of a picture's pixels are decoded in one go, so that its decoder can be interrupted in between.
struct WebPSlices {
    private let byteCount: Int
    private let step: Int
    private let isLossless: Bool

    /// The slices of `byteCount` bytes: at least so many, and more for a large picture.
    init(of features: WebPFeatures, byteCount: Int, atLeast count: Int = 1) {
        self.byteCount = byteCount
        // So many pixels take 1 ms, or 6 without loss, where the bytes are evenly spread.
        let pixelCount = features.isLossless ? 200_000 : 100_000
        step = max(1, byteCount / max(count, features.size.width * features.size.height / pixelCount))
        isLossless = features.isLossless
    }

    /// Where the slice ends that begins at `start`.
    func end(after start: Int, hasRows: Bool) -> Int {
        // libwebp does not look at lossless pixels before it has an eighth of them. They begin with tables that it reads
        // anew each time until they are complete, so the slices must grow, or the time would be quadratic.
        let first = isLossless && !hasRows ? max(byteCount / 8 + 64, start + start / 2) : 0
        let end = max(first, start + step)
        return min(end, byteCount)
    }
}
