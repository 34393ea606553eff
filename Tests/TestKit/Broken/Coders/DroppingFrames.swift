import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// It writes the first frame of an animation, and tells nobody.
struct DroppingFrames: NearlySoundCoder {
    func encode(_ request: EncodeRequest) throws -> Data {
        try request.checkCancellation()
        return PlainCoder.file(of: request.image.bitmap)
    }
}
