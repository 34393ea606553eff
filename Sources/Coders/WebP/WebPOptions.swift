import DarkroomCore

/// The configuration of libwebp's encoder. The defaults are those of libwebp, except that a second thread is used.
///
/// A value out of range results in an `ImageError` of kind `unsupported` that names the property.
public struct WebPOptions: Hashable, Sendable, Codable {
    /// Whether to encode losslessly. The context's qualities and `encodedByteLimit` are then ignored. The pixels are exact,
    /// including transparent ones, whose colour is zero in every `Bitmap`.
    public var isLossless = false

    /// The effort, from 0 (fast) to 6 (small).
    public var method = 4

    /// The number of encoding passes, from 1 to 10. `nil` means 1, or 6 if the context limits the file size.
    public var pass: Int?

    /// The preprocessing, a sum of 1 (segment smoothing), 2 (dithering) and 4 (slow, sharp colour conversion).
    public var preprocessing = 0

    /// The number of additional threads, 0 or 1. It does not affect the result.
    public var threadLevel = 1

    /// Whether to reduce memory use at the expense of time.
    public var savesMemory = false

    /// The peak signal-to-noise ratio to reach in dB, 0 or more; 0 for none.
    ///
    /// It takes precedence over a limit of the file size, and requires a `pass` above 1.
    public var targetPSNR = 0.0 { didSet { targetPSNR = targetPSNR.roundedToSixDecimals } }

    /// The maximum number of segments, from 1 to 4.
    public var segments = 4

    /// The strength of spatial noise shaping, from 0 to 100.
    public var snsStrength = 50

    /// The strength of the deblocking filter, from 0 (off) to 100.
    public var filterStrength = 60

    /// The sharpness of the deblocking filter, from 0 (sharpest) to 7.
    public var filterSharpness = 0

    /// The type of the deblocking filter: 0 (simple) or 1 (strong).
    public var filterType = 1

    /// Whether libwebp chooses `filterStrength` itself.
    public var choosesFilterStrength = false

    /// Whether alpha is compressed.
    public var compressesAlpha = true

    /// The predictive filter of alpha: 0 (none), 1 (fast) or 2 (best).
    public var alphaFiltering = 1

    /// The quality of alpha, from 0 to 100 (lossless).
    public var alphaQuality = 100

    /// The binary logarithm of the number of token partitions, from 0 to 3.
    ///
    /// libwebp only uses it with `savesMemory`, or with a `method` below 3.
    public var partitions = 0

    /// The quality degradation allowed to keep the prediction modes small, from 0 to 100.
    public var partitionLimit = 0

    /// The level of near-lossless encoding, from 0 (smallest) to 100 (lossless); `nil` for none.
    ///
    /// Encoding is then lossless, of pixels that libwebp has rounded where that is least visible: to multiples of 2 from 80 up,
    /// of 4 from 60 up, and so on. It suits graphics.
    public var nearLosslessLevel: Int?

    /// Whether to use a slower colour conversion that preserves sharp edges; `nil` uses it from a quality of 0.9 up.
    public var usesSharpYUV: Bool?

    /// Creates the default options.
    public init() {}
}

extension WebPOptions {
    /// Whether the lossless format is used.
    var usesLosslessFormat: Bool { isLossless || nearLosslessLevel != nil }

    /// The options that affect the file, as a part of the cache key; `nil` for the defaults.
    var encodingFragment: String? {
        var options = self
        options.threadLevel = 1
        guard options != WebPOptions() else { return nil }
        let flags = [isLossless, savesMemory, choosesFilterStrength, compressesAlpha].map { $0 ? 1 : 0 }
        let numbers = [
            method, pass ?? -1, preprocessing, segments, snsStrength, filterStrength, filterSharpness, filterType,
            alphaFiltering, alphaQuality, partitions, partitionLimit, usesSharpYUV.map { $0 ? 1 : 0 } ?? -1,
        ]
        var values = (flags + numbers).map { "\($0)" } + [targetPSNR.sixDecimals]
        if let nearLosslessLevel { values.append("near\(nearLosslessLevel)") }
        return "WebP(\(values.joined(separator: ",")))"
    }
}
