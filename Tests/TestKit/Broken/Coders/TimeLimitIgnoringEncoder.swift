import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that encodes although the time limit is exceeded.
struct TimeLimitIgnoringEncoder: PlainCoderWrapper {
    func encode(_ request: EncodeRequest) throws -> Data {
        do {
            return try plain.encode(request)
        } catch let error as ImageError where error.kind == .overLimit {
            return PlainCoder.file(of: try request.still())
        }
    }
}
