public import DarkroomCore
import Foundation

/// A picture in some twenty characters (blurha.sh): a few waves of colour, to be shown until the picture itself is there.
///
/// It has no alpha: what is transparent counts as white.
public struct BlurHash: Hashable, Sendable {
    /// How many waves there are from left to right and from top to bottom, 1 to 9 each.
    public let columns, rows: Int

    /// How strong each wave is in light, not in sRGB; the first is the mean colour.
    private let strengths: [SIMD3<Float>]

    /// The text form.
    public let text: String

    /// The hash of `bitmap`. More waves show more of it, and take two characters each.
    ///
    /// Counts out of their range become the nearest one in it.
    public init(of bitmap: Bitmap, columns: Int = 4, rows: Int = 3, limits: DecodeLimits = .default) throws {
        self.columns = min(max(columns, 1), 9)
        self.rows = min(max(rows, 1), 9)
        // Waves are long: more pixels would give the same hash, and take their time.
        let small = try bitmap.resized(to: Thumbnail.fit(64, 64).size(for: bitmap.size), limits: limits)
        let waves = Waves(small.size, columns: self.columns, rows: self.rows)
        let exact = waves.strengths(of: small.light)
        let coding = StrengthCoding(exact)
        text = coding.text(exact, columns: self.columns, rows: self.rows)
        strengths = coding.rounded(exact)
    }

    /// The picture, which may be small, because it has no details: 32 pixels are plenty.
    public func bitmap(_ size: PixelSize, limits: DecodeLimits = .default) throws -> Bitmap {
        try limits.check(ImageInfo(format: .blurHash, storedSize: size))
        let waves = Waves(size, columns: columns, rows: rows)
        return try Bitmap(size, hasAlpha: false, limits: limits) { pixels in
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let color = waves.color(x, y, strengths).sRGB
                    let start = (y * size.width + x) * 4
                    for channel in 0..<3 { pixels[start + channel] = color[channel] }
                    pixels[start + 3] = 255
                }
            }
        }
    }

    /// The picture as a placeholder.
    public func image(_ size: PixelSize, limits: DecodeLimits = .default) throws -> Image {
        let bitmap = try bitmap(size, limits: limits)
        return Image(info: ImageInfo(format: .blurHash, storedSize: size), bitmap: bitmap)
    }
}

extension BlurHash: LosslessStringConvertible {
    /// The text form.
    public var description: String { text }

    /// The hash of this text form; `nil` unless it is one.
    public init?(_ text: String) {
        guard let parsed = StrengthCoding.parse(text) else { return nil }
        (columns, rows, strengths) = parsed
        self.text = text
    }
}

extension ImageFormat {
    /// What pictures made of hashes came as.
    public static let blurHash = ImageFormat(
        identifier: "sh.blurha.hash", mimeType: "text/x-blurhash", fileExtension: "blurhash", signatures: [])
}
