import DarkroomCore

/// Splits the bytes of an image into slices, between which decoding can be interrupted.
struct WebPSlices {
    private let byteCount: Int
    private let step: Int
    private let isLossless: Bool

    /// Splits `byteCount` bytes into at least `count` slices, or more for a large image.
    init(of features: WebPFeatures, byteCount: Int, atLeast count: Int = 1) {
        self.byteCount = byteCount
        // This many pixels take 1 ms, or 6 ms if lossless, if the bytes are evenly distributed.
        let pixelCount = features.isLossless ? 200_000 : 100_000
        step = max(1, byteCount / max(count, features.size.width * features.size.height / pixelCount))
        isLossless = features.isLossless
    }

    /// Returns the end of the slice that begins at `start`.
    func end(after start: Int, hasRows: Bool) -> Int {
        // libwebp starts decoding lossless pixels only when it has an eighth of them. They begin with tables that are
        // parsed again until they are complete, so slices must grow to avoid quadratic time.
        let first = isLossless && !hasRows ? max(byteCount / 8 + 64, start + start / 2) : 0
        let end = max(first, start + step)
        return min(end, byteCount)
    }
}
