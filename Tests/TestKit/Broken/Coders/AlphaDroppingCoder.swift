import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that encodes images with alpha as opaque ones, without an error.
struct AlphaDroppingCoder: PlainCoderWrapper {
    func encode(_ request: EncodeRequest) throws -> Data {
        let bitmap = try request.still()
        return PlainCoder.file(
            of: try Bitmap(bitmap.size, hasAlpha: false) { pixels in
                bitmap.withPixels { source in
                    for index in pixels.indices { pixels[index] = index % 4 == 3 ? 255 : source[index] }
                }
            })
    }
}
