public import Darkroom
public import ServerPlatform

/// The operator's settings for thumbnails.
public struct ThumbnailSettings: Sendable {
    /// The signer of paths; `nil` accepts no signature.
    public var signer: PathSigner?

    /// Whether paths may contain `insecure` in place of a signature. Then anyone who can reach the server decides what
    /// it processes.
    public var allowsInsecure = false

    /// The URLs that may be loaded.
    public var sources = SourcePolicy()

    /// The options of `preset:NAME`, by name.
    public var presets: [String: String] = [:]

    /// The images of `watermark:NAME`, by name.
    public var watermarks: [String: Data] = [:]

    /// An image to send with the status of an error, instead of text.
    public var fallback: Data?

    /// The limits on the work for one response, including encoding. The manager should have the same limits.
    public var limits = DecodeLimits()

    /// The formats that are read and, as far as a coder can, written. By default they are all but HEIC, whose decoders have a
    /// history of defects that hostile files exploit.
    public var formats = ImageFormat.offered.filter { ![.heic, .heif].contains($0) }

    /// The maximum number of pixels in a frame of a response and in intermediate images.
    public var pixelLimit = 16_000_000

    /// The maximum number of transforms in a path, including those of presets.
    public var stepLimit = 16

    /// The quality of lossy formats, unless the path sets it.
    public var quality = FileQuality.fixed(DefaultQuality.delivered)

    /// The freshness lifetime of responses whose origin server specifies none.
    public var lifetime = Duration.seconds(3600)

    /// The stale-while-revalidate period, if the origin server specifies none.
    public var staleWhileRevalidate = Duration.seconds(86_400)

    /// The maximum numbers of results being made and waiting. It is the ``ImageManager/Components/encodingLimit`` of the
    /// manager.
    public var workLimit = EncodingLimit()

    /// The rate limit for requests of a client that require work; `nil` for none.
    public var clientLimit: RateLimit? = RateLimit(perSecond: 20, burst: 200)

    /// The number of proxies in front of the server, each of which appends a client address to `X-Forwarded-For`.
    public var proxyCount = 0

    /// The limit on the bytes of responses cached in memory.
    public var memoryByteLimit = 64 << 20

    /// The path below which the routes are mounted, such as `/img`; empty for the root.
    public var mountPath = ""

    /// Creates the defaults: only signed paths are accepted, but there is no key, so nothing is served until one or the
    /// other is set.
    public init() {}
}
