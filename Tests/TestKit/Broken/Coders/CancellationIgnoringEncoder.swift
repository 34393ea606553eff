import DarkroomCore
import FoundationEssentials
import DarkroomTestKit

/// A coder that encodes although the request is cancelled.
struct CancellationIgnoringEncoder: PlainCoderWrapper {
    func encode(_ request: EncodeRequest) throws -> Data { PlainCoder.file(of: try request.still()) }
}
