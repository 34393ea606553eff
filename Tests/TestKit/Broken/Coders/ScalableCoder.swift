import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder of pictures without a size of their own.
protocol ScalableCoder: NearlySoundCoder {}

extension ScalableCoder {
    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try plain.info(of: request)
        info.isScalable = true
        return info
    }
}

/// What a `ScalableCoder` is when nothing is wrong with it.
struct SoundScalableCoder: ScalableCoder {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        try plain.decode(request).resized(to: request.target, limits: request.context.limits)
    }
}
