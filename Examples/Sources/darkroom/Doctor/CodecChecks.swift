import Darkroom
import InstalledCoders

/// Encodes a small image with each coder, and decodes it again.
enum CodecChecks {
    /// The tolerated difference of a channel in lossy formats.
    private static let tolerance = 24

    private static let coders = InstalledCoders.registry

    /// One check for each format, and one for colour conversion. Those of installed coders follow.
    static var all: [Check] {
        Versions.parts.map { check(of: $0.name, libraries: $0.libraries) } + InstalledCoders.formats.map(check)
    }

    private static func check(of format: ImageFormat) -> Check {
        let name = format.fileExtension
        guard coders.encoder(for: format) != nil else { return Check(name: name, finding: "reads") }
        let failure = failure(of: format)
        return Check(name: name, status: failure == nil ? .ok : .failed, finding: failure ?? "reads and writes")
    }

    private static func check(of name: String, libraries: [String: String]) -> Check {
        let versions = Versions.summary(libraries)
        guard let format = ImageFormat(named: name) else {
            return Check(name: name, finding: versions, libraries: libraries)
        }
        let failure = failure(of: format)
        return Check(
            name: name, status: failure == nil ? .ok : .failed,
            finding: "\(versions): \(failure ?? "reads and writes")",
            libraries: libraries)
    }

    /// Returns why an image does not survive a round trip through `format`; `nil` when it does.
    private static func failure(of format: ImageFormat) -> String? {
        do {
            let bitmap = try sample
            let image = Image(info: ImageInfo(format: format, storedSize: bitmap.size), bitmap: bitmap)
            let data = try coders.encode(image, as: format, context: ImageContext { $0.quality = 1 })
            let isSame = isSimilar(try coders.decode(data).bitmap, bitmap)
            return isSame ? nil : "decoding does not return the encoded image"
        } catch {
            return (error as? ImageError)?.message ?? "\(error)"
        }
    }

    private static var sample: Bitmap {
        get throws {
            try Bitmap(PixelSize(16, 16), hasAlpha: false) { pixels in
                for index in pixels.indices {
                    let (x, y) = (index / 4 % 16, index / 64)
                    pixels[index] = [UInt8(x * 16), UInt8(y * 16), 128, 255][index % 4]
                }
            }
        }
    }

    private static func isSimilar(_ first: Bitmap, _ second: Bitmap) -> Bool {
        guard first.size == second.size else { return false }
        return first.withPixels { first in
            second.withPixels { second in
                first.indices.allSatisfy { abs(Int(first[$0]) - Int(second[$0])) <= tolerance }
            }
        }
    }
}
