/// An image for as long as somebody holds its pixels, and what its animation is decoded from.
///
/// It is found again whoever holds them, and in whatever copy: one with another scale, or a bitmap alone. It keeps the
/// header and the metadata.
package struct WeakImage: Sendable {
    private let info: ImageInfo
    private let metadata: Image.Metadata
    private let size: PixelSize
    private let hasAlpha: Bool
    private let animation: WeakAnimation?
    private weak var pixels: PixelStorage?

    /// A weak reference to `image`.
    package init(_ image: Image) {
        info = image.info
        metadata = image.metadata
        size = image.size
        hasAlpha = image.bitmap.hasAlpha
        animation = image.animation.map(WeakAnimation.init)
        pixels = image.bitmap.weaklyHeldMemory
    }

    /// The image; `nil` when nobody holds it any more.
    package var image: Image? {
        guard let pixels else { return nil }
        let bitmap = Bitmap(size, hasAlpha: hasAlpha, normalized: pixels)
        guard let animation else { return Image(info: info, bitmap: bitmap, metadata: metadata) }
        guard let moving = animation.animation else { return nil }
        return Image(info: info, bitmap: bitmap, animation: moving, metadata: metadata)
    }
}

private struct WeakAnimation: Sendable {
    private let loopCount: Int
    private let frameDurations: [Double]
    private let byteCount: Int
    private weak var identity: Animation.Identity?

    init(_ animation: Animation) {
        loopCount = animation.loopCount
        frameDurations = animation.frameDurations
        byteCount = animation.byteCount
        identity = animation.identity
    }

    var animation: Animation? {
        identity.map {
            Animation(loopCount: loopCount, frameDurations: frameDurations, byteCount: byteCount, identity: $0)
        }
    }
}
