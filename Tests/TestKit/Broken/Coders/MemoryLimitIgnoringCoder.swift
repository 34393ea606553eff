import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that decodes images that exceed the memory limit.
struct MemoryLimitIgnoringCoder: PlainCoderWrapper {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        var context = request.context
        context.limits.decodedByteCount = .max
        return try plain.decode(DecodeRequest(data: request.data, info: request.info, context: context))
    }
}
