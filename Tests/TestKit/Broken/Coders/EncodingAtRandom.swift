import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// It leaves rubbish behind its files.
struct EncodingAtRandom: NearlySoundCoder {
    func encode(_ request: EncodeRequest) throws -> Data {
        try plain.encode(request) + Data((0..<8).map { _ in UInt8.random(in: 0...255) })
    }
}
