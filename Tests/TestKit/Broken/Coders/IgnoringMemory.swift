import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// It decodes what is too large for the memory allowed.
struct IgnoringMemory: NearlySoundCoder {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        var context = request.context
        context.limits.decodedByteCount = .max
        return try plain.decode(DecodeRequest(data: request.data, info: request.info, context: context))
    }
}
