#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A decoded picture: its first frame, the way to all others, and what is known about it. A value that is cheap to copy.
public struct Image: Sendable {
    /// What goes with an image but is no pixel.
    public struct Metadata: Sendable {
        /// Pixels a point, at least 1. It never changes pixels.
        public var scale = 1.0

        /// Whether transformers have changed the pixels.
        public var isTransformed = false

        /// Whether pixels may still be missing, as in a preview.
        public var isIncomplete = false

        /// The thumbnail size asked for at decoding, even if nothing had to be shrunk.
        public var thumbnail: Thumbnail?

        /// The ICC profile that the pixels are in, which encoders write; `nil` for sRGB.
        public var iccProfile: Data?

        /// What was amiss in the file and could be passed over, a sentence each.
        public var notes: [String] = []

        /// What the memory cache counts in place of the computed cost.
        public var memoryCost: Int?

        /// The caller's own data, kept beside the bytes on disk.
        public var extendedData: Data?

        /// Which version of the original it was made from, and until when that is known to be current.
        public var original: OriginalVersion?

        /// Nothing set.
        public init() {}
    }

    private final class Storage: Sendable {
        let info: ImageInfo
        let bitmap: Bitmap
        let animation: Animation?
        let metadata: Metadata
        let freshness: FreshnessSummary

        init(_ info: ImageInfo, _ bitmap: Bitmap, _ animation: Animation?, _ metadata: Metadata) {
            self.info = info
            self.bitmap = bitmap
            self.animation = animation
            self.metadata = metadata
            freshness = FreshnessSummary(of: metadata.original)
        }
    }

    private var storage: Storage

    /// The header of the file it came from; transforming does not change it.
    public var info: ImageInfo { storage.info }

    /// The first frame, upright.
    public var bitmap: Bitmap { storage.bitmap }

    /// The way to all frames; `nil` for a still.
    public var animation: Animation? { storage.animation }

    /// What is known about the image besides its pixels.
    public var metadata: Metadata {
        get { storage.metadata }
        set { storage = Storage(info, bitmap, animation, newValue) }
    }

    /// The freshness of the image as far as it depends on no request; reading it copies no metadata.
    var freshness: FreshnessSummary { storage.freshness }

    /// The size of the pixels delivered, which is not that of the file if it is a thumbnail.
    public var size: PixelSize { bitmap.size }

    /// An image of these parts.
    public init(info: ImageInfo, bitmap: Bitmap, animation: Animation? = nil, metadata: Metadata = .init()) {
        storage = Storage(info, bitmap, animation, metadata)
    }

    /// The animation of `frames`, at least one; a still when it is one. The durations of all are exact.
    public init?(frames: [Frame], loopCount: Int = 0, format: ImageFormat = .png) {
        guard let first = frames.first else { return nil }
        let animation = frames.count > 1 ? Animation(frames: frames, loopCount: loopCount) : nil
        var info = ImageInfo(format: format, storedSize: first.bitmap.size)
        info.hasAlpha = first.bitmap.hasAlpha
        info.frameCount = frames.count
        info.loopCount = animation?.loopCount ?? 0
        info.frameDurations = animation?.frameDurations ?? []
        self.init(info: info, bitmap: first.bitmap, animation: animation)
    }

    /// What a memory cache counts: the bytes held for it, unless a cost was set.
    public var memoryCost: Int { metadata.memoryCost ?? heldByteCount }

    /// The bytes held for it: the first frame, and what the others are decoded from, or the others themselves.
    package var heldByteCount: Int { bitmap.byteCount + (animation?.byteCount ?? 0) }

    /// This image with another header, such as that of the original behind a kept result.
    func withInfo(_ info: ImageInfo) -> Image {
        Image(info: info, bitmap: bitmap, animation: animation, metadata: metadata)
    }
}
