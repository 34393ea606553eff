/// How libwebp writes WebPs: the fields of its configuration, with its defaults, save that it may use two threads.
///
/// A value out of its range ends in an error of kind `unsupported` that names the field.
public struct WebPOptions: Hashable, Sendable {
    /// Whether to write without loss; the context's `quality` and `maxEncodedByteCount` then have no meaning.
    public var lossless = false

    /// How hard to work for a small file, from 0 for fast to 6 for small.
    public var method = 4

    /// How often to go over the picture, 1 to 10; `nil` for 1, or 6 when the context bounds the file's size.
    public var pass: Int?

    /// What to do to the pixels first, the sum of: 1, smoothing of segments; 2, dithering; 4, slow and sharp colours.
    public var preprocessing = 0

    /// Whether to use a second thread, 0 or 1. The bytes are the same.
    public var threadLevel = 1

    /// Whether to take less memory and more time.
    public var lowMemory = false

    /// The ratio of signal to noise to reach, in dB, 0 or more; 0 for no such aim.
    ///
    /// It goes before a bound on the size, and needs a `pass` above 1.
    public var targetPSNR = 0.0

    /// The most segments with properties of their own, 1 to 4.
    public var segments = 4

    /// How strongly bits are moved to where noise is seen, 0 to 100.
    public var snsStrength = 50

    /// How strongly blocks are smoothed, 0 for off to 100.
    public var filterStrength = 60

    /// How sharp edges stay when blocks are smoothed, 0 for the sharpest to 7.
    public var filterSharpness = 0

    /// The filter that smooths blocks: 0 for the simple one, 1 for the strong one.
    public var filterType = 1

    /// Whether libwebp chooses `filterStrength` itself.
    public var autofilter = false

    /// Whether alpha is compressed.
    public var alphaCompression = true

    /// How alpha is foretold: 0 for not, 1 for fast, 2 for best.
    public var alphaFiltering = 1

    /// The quality of alpha, 0 to 100 for lossless.
    public var alphaQuality = 100

    /// Whether libwebp also makes the picture that readers will see, which nobody gets.
    public var showCompressed = false

    /// The binary logarithm of the number of parts that a picture is cut into, 0 to 3.
    ///
    /// libwebp only does it with `lowMemory`, or a `method` below 3.
    public var partitions = 0

    /// How much quality may be lost to keep the modes of prediction small, 0 to 100.
    public var partitionLimit = 0

    /// Whether colours are converted slowly and keep sharp edges.
    public var useSharpYUV = false

    /// libwebp's defaults, and a second thread.
    public init() {}
}
