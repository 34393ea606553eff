public import Darkroom
public import Foundation

/// What an operator decides about thumbnails.
public struct ThumbnailSettings: Sendable {
    /// What signs paths; `nil` accepts no signature.
    public var signer: PathSigner?

    /// Whether `insecure` may stand in a signature's place. Whoever can reach the server then decides what it works on.
    public var allowsInsecure = false

    /// Which URLs may be loaded.
    public var sources = SourcePolicy()

    /// Options by name, for `preset:NAME`.
    public var presets: [String: String] = [:]

    /// The pictures that `watermark:NAME` may draw.
    public var watermarks: [String: Data] = [:]

    /// A picture to answer with, along with an error's status, in the place of words.
    public var fallback: Data?

    /// What the work on one answer may cost, writing it included. The manager should have the same limits.
    public var limits = DecodeLimits()

    /// The formats that are read and written.
    public var formats = ImageFormat.offered

    /// The most pixels of one frame of an answer, and of what a step makes on the way to it.
    public var pixelLimit = 16_000_000

    /// The most transforms of one path, those of presets included.
    public var stepLimit = 16

    /// The quality of what is written lossy, 0 to 1, unless the path says otherwise.
    public var quality = 0.8

    /// Seconds for which an answer is fresh whose origin said nothing about that.
    public var lifetime = 3600.0

    /// Seconds after that for which caches may use it while they ask again, where its origin said nothing.
    public var staleWhileRevalidate = 86_400.0

    /// How many answers are made at a time, and how many may wait for their turn.
    public var workLimit = Admission.Limit()

    /// How often one client may ask for what must be made first; `nil` for as often as it likes.
    public var clientLimit: RateLimit? = RateLimit(perSecond: 20, burst: 200)

    /// How many proxies stand before the server, each of which adds a client's address to `X-Forwarded-For`.
    public var proxyCount = 0

    /// The bytes of answers held in memory.
    public var memoryByteLimit = 64 << 20

    /// Where the routes are mounted, such as `/img`; empty for the root.
    public var mountPath = ""

    /// The defaults: signatures only, and no key, so that nothing is answered until one of both is set.
    public init() {}
}
