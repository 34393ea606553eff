import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that appends random bytes to encoded files.
struct RandomEncodingCoder: PlainCoderWrapper {
    func encode(_ request: EncodeRequest) throws -> Data {
        try plain.encode(request) + Data((0..<8).map { _ in UInt8.random(in: 0...255) })
    }
}
