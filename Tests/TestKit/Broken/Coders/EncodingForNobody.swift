import DarkroomCore
import FoundationEssentials
import DarkroomTestKit

/// It writes a file for a caller who has left.
struct EncodingForNobody: NearlySoundCoder {
    func encode(_ request: EncodeRequest) throws -> Data { PlainCoder.file(of: try request.still()) }
}
