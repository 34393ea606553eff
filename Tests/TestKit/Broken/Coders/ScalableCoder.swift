import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder of images without an intrinsic size.
protocol ScalableCoder: PlainCoderWrapper {}

extension ScalableCoder {
    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try plain.info(of: request)
        info.isScalable = true
        return info
    }
}

/// A `ScalableCoder` without a defect.
struct SoundScalableCoder: ScalableCoder {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        try plain.decode(request).resized(to: request.target, limits: request.context.limits)
    }
}
