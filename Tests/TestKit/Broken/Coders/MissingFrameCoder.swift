import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that returns headers that declare one frame more than there are.
struct MissingFrameCoder: PlainCoderWrapper, AnimatedImageCoder {
    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try plain.info(of: request)
        info.frameCount = 3
        info.frameDurations = [.seconds(1), .seconds(1), .seconds(1)]
        return info
    }

    func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        Frames(bitmap: try plain.decode(request))
    }

    private struct Frames: FrameDecoder {
        let bitmap: Bitmap
        private var next = 0

        init(bitmap: Bitmap) { self.bitmap = bitmap }

        mutating func nextFrame() -> Frame? {
            next += 1
            return next < 3 ? Frame(bitmap, duration: .seconds(1)) : nil
        }
    }
}
