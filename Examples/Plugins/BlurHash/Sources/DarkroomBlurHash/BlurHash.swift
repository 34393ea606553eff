public import DarkroomCore
import Foundation

/// A placeholder for an image in some twenty characters (blurha.sh): a few cosine waves of colour, shown until the
/// image has loaded.
///
/// It has no alpha: transparent areas are treated as white.
public struct BlurHash: Hashable, Sendable {
    /// The number of waves in each direction, 1 to 9.
    public let columns, rows: Int

    /// The amplitude of each wave in linear light; the first one is the mean colour.
    private let strengths: [SIMD3<Float>]

    /// The text form.
    public let text: String

    /// Creates the hash of `bitmap`. More waves preserve more detail, and take two characters each.
    ///
    /// Counts outside their range are clamped.
    public init(of bitmap: Bitmap, columns: Int = 4, rows: Int = 3, limits: DecodeLimits = .default) throws {
        self.columns = min(max(columns, 1), 9)
        self.rows = min(max(rows, 1), 9)
        // Waves are low frequencies: more pixels would result in the same hash, more slowly.
        let small = try bitmap.resized(to: Thumbnail.fit(64, 64).size(for: bitmap.size), limits: limits)
        let waves = Waves(small.size, columns: self.columns, rows: self.rows)
        let exact = waves.strengths(of: small.light)
        let coding = StrengthCoding(exact)
        text = coding.text(exact, columns: self.columns, rows: self.rows)
        strengths = coding.rounded(exact)
    }

    /// Renders the hash. A small size such as 32 pixels is sufficient, because there are no details.
    public func bitmap(_ size: PixelSize, limits: DecodeLimits = .default) throws -> Bitmap {
        try limits.check(ImageInfo(format: .blurHash, storedSize: size))
        try limits.check(decodedByteCount: Waves.byteCount(size, columns: columns, rows: rows))
        let waves = Waves(size, columns: columns, rows: rows)
        return try Bitmap(size, hasAlpha: false, limits: limits) { pixels in
            for y in 0..<size.height {
                let row = waves.row(y, strengths: strengths)
                for x in 0..<size.width {
                    let color = waves.color(x: x, row: row).sRGB
                    let start = (y * size.width + x) * 4
                    for channel in 0..<3 { pixels[start + channel] = color[channel] }
                    pixels[start + 3] = 255
                }
            }
        }
    }

    /// Renders the hash as a placeholder image.
    public func image(_ size: PixelSize, limits: DecodeLimits = .default) throws -> Image {
        let bitmap = try bitmap(size, limits: limits)
        return Image(info: ImageInfo(format: .blurHash, storedSize: size), bitmap: bitmap)
    }
}

extension BlurHash: LosslessStringConvertible {
    /// The text form.
    public var description: String { text }

    /// Parses the text form of a hash; `nil` if it is invalid.
    public init?(_ text: String) {
        guard let parsed = StrengthCoding.parse(text) else { return nil }
        (columns, rows, strengths) = parsed
        self.text = text
    }
}

extension ImageFormat {
    /// The format of images rendered from hashes.
    public static let blurHash = ImageFormat(
        identifier: "sh.blurha.hash", mimeType: "text/x-blurhash", fileExtension: "blurhash", signatures: [])
}
