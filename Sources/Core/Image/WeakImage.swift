/// A weak reference to an image, valid as long as its pixels, and the data of its animation, are referenced.
///
/// Any reference to the pixels suffices, including one by a copy with another scale, or by a bitmap alone. The header
/// and the metadata are held strongly.
package struct WeakImage: Sendable {
    private let info: ImageInfo
    private let metadata: Image.Metadata
    private let animation: WeakAnimation?
    private let bitmap: WeakBitmap

    /// Creates a weak reference to `image`.
    package init(_ image: Image) {
        info = image.info
        metadata = image.metadata
        animation = image.animation.map(WeakAnimation.init)
        bitmap = WeakBitmap(image.bitmap)
    }

    /// The image; `nil` if its pixels are no longer referenced.
    package var image: Image? {
        guard let bitmap = bitmap.bitmap else { return nil }
        guard let animation else { return Image(info: info, bitmap: bitmap, metadata: metadata) }
        guard let moving = animation.animation else { return nil }
        return Image(info: info, bitmap: bitmap, animation: moving, metadata: metadata)
    }
}

private struct WeakAnimation: Sendable {
    private let loopCount: Int
    private let frameDurations: [Duration]
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
