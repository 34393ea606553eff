import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that ends progressive decoding without the last pixel.
struct WrongFinalPreviewCoder: PlainCoderWrapper, ProgressiveImageCoder {
    func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        Previews(base: try plain.makePreviewDecoder(request))
    }

    private struct Previews: PreviewDecoder {
        var base: any PreviewDecoder

        mutating func append(_ bytes: Data) throws -> Bitmap? { try base.append(bytes) }

        mutating func finish() throws -> Bitmap {
            let bitmap = try base.finish()
            return try Bitmap(bitmap.size, hasAlpha: bitmap.hasAlpha) { pixels in
                bitmap.withPixels { source in
                    for index in pixels.indices.dropLast(4) { pixels[index] = source[index] }
                    pixels[pixels.count - 1] = 255
                }
            }
        }
    }
}
