import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// It never looks at the clock.
struct IgnoringTime: NearlySoundCoder {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        var context = request.context
        context.limits.workSeconds = 1_000
        return try plain.decode(DecodeRequest(data: request.data, info: request.info, context: context))
    }
}
