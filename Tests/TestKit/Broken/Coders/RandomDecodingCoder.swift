import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that decodes with random dithering.
struct RandomDecodingCoder: PlainCoderWrapper {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        let bitmap = try plain.decode(request)
        return try Bitmap(bitmap.size, hasAlpha: bitmap.hasAlpha, limits: request.context.limits) { pixels in
            bitmap.withPixels { source in
                for index in pixels.indices {
                    pixels[index] = index % 4 == 3 ? source[index] : source[index] ^ UInt8.random(in: 0...1)
                }
            }
        }
    }
}
