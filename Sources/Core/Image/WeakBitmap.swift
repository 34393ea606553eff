/// A weak reference to a bitmap, valid as long as its pixels are referenced.
struct WeakBitmap: Sendable {
    private let size: PixelSize
    private let hasAlpha: Bool
    private weak var pixels: PixelStorage?

    /// Creates a weak reference to `bitmap`, whose memory is never reused for other pixels from now on.
    init(_ bitmap: Bitmap) {
        size = bitmap.size
        hasAlpha = bitmap.hasAlpha
        pixels = bitmap.weaklyHeldMemory
    }

    /// The bitmap; `nil` if its pixels are no longer referenced.
    var bitmap: Bitmap? { pixels.map { Bitmap(size, hasAlpha: hasAlpha, normalized: $0) } }
}
