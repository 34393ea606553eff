import DarkroomCore

/// The configuration of libwebp's encoder: validated options combined with the context.
struct WebPConfiguration {
    /// The options, all within their ranges.
    let options: WebPOptions

    /// The quality, from 0 to 1.
    private(set) var quality: Double

    /// The target size in bytes; `nil` to use the quality.
    var targetByteCount: Int? {
        // libwebp starts its search here, and does not get far in a few passes.
        didSet { quality = 0.75 }
    }

    /// The number from which on the resolution of chroma is what is missing. It is that for a quality at which a JPEG
    /// stores all of it.
    private static let sharpQuality = 0.95

    /// Creates the configuration for `request`.
    init(_ request: EncodeRequest) throws(ImageError) {
        options = request.context.webPOptions
        // For lossless encoding, libwebp interprets the quality as effort, with 0.75 as its default.
        quality = options.usesLosslessFormat ? 0.75 : try request.encoderQuality(by: .libwebp) / 100
        try options.check()
    }

    /// The exact variant of the configuration.
    var losslessVariant: WebPConfiguration { WebPConfiguration(losslessFrom: self) }

    /// Whether the lossless format is used.
    var isLossless: Bool { options.usesLosslessFormat }

    /// The number of encoding passes.
    var pass: Int { options.pass ?? (targetByteCount == nil ? 1 : 6) }

    /// Whether colours are converted such that sharp edges are preserved.
    var usesSharpYUV: Bool { options.usesSharpYUV ?? (!isLossless && quality >= Self.sharpQuality) }

    /// Whether libwebp converts the colours itself, as lossless encoding and some of its slower options require.
    var needsRGB: Bool { isLossless || usesSharpYUV || options.preprocessing > 0 }

    private init(losslessFrom other: WebPConfiguration) {
        var options = other.options
        options.isLossless = true
        options.nearLosslessLevel = nil
        self.options = options
        quality = 0.75
    }
}

extension WebPOptions {
    fileprivate func check() throws(ImageError) {
        let fields: [(name: String, value: Int, range: ClosedRange<Int>)] = [
            ("method", method, 0...6), ("pass", pass ?? 1, 1...10), ("preprocessing", preprocessing, 0...7),
            ("threadLevel", threadLevel, 0...1), ("segments", segments, 1...4), ("snsStrength", snsStrength, 0...100),
            ("filterStrength", filterStrength, 0...100), ("filterSharpness", filterSharpness, 0...7),
            ("filterType", filterType, 0...1), ("alphaFiltering", alphaFiltering, 0...2),
            ("alphaQuality", alphaQuality, 0...100), ("partitions", partitions, 0...3),
            ("partitionLimit", partitionLimit, 0...100), ("nearLosslessLevel", nearLosslessLevel ?? 100, 0...100),
        ]
        for field in fields {
            try ImageError.check(field.value, in: field.range, name: "context.webPOptions.\(field.name)")
        }
        try ImageError.check(
            targetPSNR, in: 0...Double.greatestFiniteMagnitude, name: "context.webPOptions.targetPSNR")
    }
}
