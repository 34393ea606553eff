import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// It gives the smallest picture that it can whenever it need not give the whole.
struct IgnoringTarget: NearlySoundCoder {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        let bitmap = try plain.decode(request)
        guard request.target != request.info.storedSize else { return bitmap }
        return try Bitmap(PixelSize(1, 1), hasAlpha: bitmap.hasAlpha) { pixels in
            for index in pixels.indices { pixels[index] = 255 }
        }
    }
}
