import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that decodes although the time limit is exceeded.
struct TimeLimitIgnoringCoder: PlainCoderWrapper {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        var context = request.context
        context.limits.workTime = .seconds(1_000)
        return try plain.decode(DecodeRequest(data: request.data, info: request.info, context: context))
    }
}
