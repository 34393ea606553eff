import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// It goes on for a caller who has left.
struct IgnoringCancellation: NearlySoundCoder {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        try plain.decode(DecodeRequest(data: request.data, info: request.info, context: request.context))
    }
}
