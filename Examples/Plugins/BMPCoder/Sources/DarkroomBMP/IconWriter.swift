import DarkroomCore
import DarkroomPNG

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Encodes an icon with one image, a PNG, which all systems and browsers of today read.
struct IconWriter {
    private let request: EncodeRequest

    /// Prepares the file. Throws if the image is too large for the format.
    init(_ request: EncodeRequest) throws {
        let bitmap = try request.still()
        guard bitmap.size.width <= 256, bitmap.size.height <= 256 else {
            throw ImageError(
                .unsupported, .encode,
                "an icon cannot be \(bitmap.size) pixels large; set context.encodedSizeLimit to 256×256 or less")
        }
        self.request = try request.inSRGB()
    }

    /// Returns the file.
    func file() throws -> Data {
        let size = request.image.size
        let png = try PNGCoder().encode(
            EncodeRequest(image: request.image, format: .png, context: request.context))
        try request.checkCancellation()
        var bytes: [UInt8] = [0, 0, 1, 0, 1, 0]
        // A side of 256 is written as 0.
        for side in [size.width, size.height] { bytes.append(side, byteCount: 1) }
        bytes += [0, 0]
        for (number, byteCount) in [(1, 2), (32, 2), (png.count, 4), (22, 4)] {
            bytes.append(number, byteCount: byteCount)
        }
        return Data(bytes) + png
    }
}
