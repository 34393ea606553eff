/// The quality that an encoded image should have, as the score of a perceptual metric.
///
/// Unlike ``ImageContext/quality``, which is a setting of encoders, it is what the image has afterwards: a picture that is
/// hard to encode gets more bytes for it than one that is easy.
public struct VisualQuality: Hashable, Sendable, Codable {
    /// The score of SSIMULACRA2, from 0 to 100.
    public var score: Double

    /// Creates a quality with this score.
    public init(score: Double) { self.score = score }

    /// Returns the quality with this score.
    public static func score(_ score: Double) -> VisualQuality { VisualQuality(score: score) }

    /// Distortions are visible, but not annoying: a score of 50.
    public static let low = VisualQuality(score: 50)

    /// Distortions are hard to notice without the original beside it: a score of 70.
    public static let medium = VisualQuality(score: 70)

    /// Nobody can tell the image from the original beside it at its size: a score of 80.
    public static let high = VisualQuality(score: 80)

    /// Nobody can tell the images apart where they alternate: a score of 90.
    public static let visuallyLossless = VisualQuality(score: 90)
}

/// The quality that was chosen for a ``VisualQuality``.
public struct ChosenQuality: Hashable, Sendable, Codable {
    /// The quality of encoding, on the scale of ``ImageContext/quality``.
    public var quality: Double

    /// The score that the image, or the first frame of an animation, has at this quality.
    public var score: Double

    /// The number of encodes that it took, with those whose files were not used.
    public var encodeCount: Int

    /// Creates a result of a search.
    public init(quality: Double, score: Double, encodeCount: Int) {
        self.quality = quality
        self.score = score
        self.encodeCount = encodeCount
    }
}

extension ChosenQuality: CustomStringConvertible {
    /// The quality, its score and the encodes, such as `quality 76, score 80.9, 2 encodes`.
    public var description: String {
        let tenths = Int(saturating: (score * 10).rounded())
        let (percent, encodes) = (Int(saturating: (quality * 100).rounded()), encodeCount == 1 ? "encode" : "encodes")
        return "quality \(percent), score \(Double(tenths) / 10), \(encodeCount) \(encodes)"
    }
}
