import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that returns a single pixel for every target but the stored size.
struct TargetIgnoringCoder: PlainCoderWrapper {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        let bitmap = try plain.decode(request)
        guard request.target != request.info.storedSize else { return bitmap }
        return try Bitmap(PixelSize(1, 1), hasAlpha: bitmap.hasAlpha) { pixels in
            for index in pixels.indices { pixels[index] = 255 }
        }
    }
}
