import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that decodes although the request is cancelled.
struct CancellationIgnoringCoder: PlainCoderWrapper {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        try plain.decode(DecodeRequest(data: request.data, info: request.info, context: request.context))
    }
}
