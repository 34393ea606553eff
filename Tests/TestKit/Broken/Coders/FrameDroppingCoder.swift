import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that encodes only the first frame of an animation, without an error.
struct FrameDroppingCoder: PlainCoderWrapper {
    func encode(_ request: EncodeRequest) throws -> Data {
        try request.checkCancellation()
        return PlainCoder.file(of: request.image.bitmap)
    }
}
