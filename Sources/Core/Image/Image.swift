public import DarkroomPlatform

/// A decoded image: its first frame, its animation if there is one, and metadata. Copies are cheap.
public struct Image: Sendable {
    /// The metadata of an image.
    public struct Metadata: Sendable {
        /// The number of pixels per point, at least 1. It does not affect the pixels.
        public var scale = 1.0

        /// Whether transformers have changed the pixels.
        public var isTransformed = false

        /// Whether pixels, scans or frames may be missing: in a preview, and if the file is truncated. `notes` then
        /// tells what is missing.
        public var isIncomplete = false

        /// Whether the bytes of the image are still arriving, so that better images of it may follow.
        public var isPreview = false

        /// The thumbnail size requested for decoding, even if the image was not scaled down.
        public var thumbnail: Thumbnail?

        /// The ICC profile of the pixels, which encoders write; `nil` for sRGB.
        public var iccProfile: Data?

        /// The recoverable defects of the file, one sentence each.
        public var notes: [String] = []

        /// The cost in a memory cache, in place of the computed one.
        public var memoryCost: Int?

        /// Custom data of the caller, stored with the bytes on disk.
        public var extendedData: Data?

        /// The version of the original from which the image was made, with its freshness.
        public var original: OriginalVersion?

        /// The size of the image of which this is a reduced copy, for its first transformer; `nil` if it is none.
        var sourceSize: PixelSize?

        /// The tickets with which results made from the image are stored.
        var tickets: StoreTickets?

        /// Creates metadata with the default values.
        public init() {}
    }

    private final class Storage: Sendable {
        let info: ImageInfo
        let bitmap: Bitmap
        let animation: Animation?
        let metadata: Metadata
        let freshness: FreshnessSummary

        init(info: ImageInfo, bitmap: Bitmap, animation: Animation?, metadata: Metadata) {
            self.info = info
            self.bitmap = bitmap
            self.animation = animation
            self.metadata = metadata
            freshness = FreshnessSummary(of: metadata.original)
        }
    }

    private var storage: Storage

    /// The header of the decoded file, or that of a still if `usesFirstFrameOnly` requested one. Transformers do not change
    /// it.
    public var info: ImageInfo { storage.info }

    /// The first frame, upright.
    public var bitmap: Bitmap { storage.bitmap }

    /// The animation; `nil` for a still.
    public var animation: Animation? { storage.animation }

    /// The metadata of the image.
    public var metadata: Metadata {
        get { storage.metadata }
        set { storage = Storage(info: info, bitmap: bitmap, animation: animation, metadata: newValue) }
    }

    /// The part of the freshness that does not depend on the request. Reading it copies no metadata.
    var freshness: FreshnessSummary { storage.freshness }

    /// The size of the pixels, which differs from that of the file for a thumbnail.
    public var size: PixelSize { bitmap.size }

    /// Creates an image of these parts.
    public init(info: ImageInfo, bitmap: Bitmap, animation: Animation? = nil, metadata: Metadata = .init()) {
        storage = Storage(info: info, bitmap: bitmap, animation: animation, metadata: metadata)
    }

    /// Creates an image of `frames`: an animation, or a still if there is only one; `nil` if there are none. Durations
    /// are not rounded.
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

    /// Returns whether both are copies of one image, so that showing one after the other changes nothing. Takes constant
    /// time. Images with equal pixels that were decoded separately are not identical.
    public func isIdentical(to other: Image) -> Bool { storage === other.storage }

    /// The cost in a memory cache: the bytes held in memory, unless `metadata` sets another one.
    public var memoryCost: Int { metadata.memoryCost ?? heldByteCount }

    /// The bytes held in memory: the first frame, and the data of the other frames, encoded or decoded.
    package var heldByteCount: Int { bitmap.byteCount + (animation?.byteCount ?? 0) }

    /// A still of the first frame.
    var firstFrame: Image {
        guard animation != nil || info.frameCount > 1 else { return self }
        return Image(info: info.ofFirstFrame, bitmap: bitmap, metadata: metadata)
    }
}
