import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// It goes on writing when its time is used up.
struct EncodingWithoutEnd: NearlySoundCoder {
    func encode(_ request: EncodeRequest) throws -> Data {
        do {
            return try plain.encode(request)
        } catch let error as ImageError where error.kind == .overLimit {
            return PlainCoder.file(of: try request.still())
        }
    }
}
