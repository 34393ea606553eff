import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that throws a foreign error for one value of one byte in the middle of a file, which only a fuzzer finds.
struct RarelyFailingCoder: PlainCoderWrapper {
    struct Surprise: Error {}

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        if request.data.dropFirst(11).dropFirst(40).first == 0x7F { throw Surprise() }
        return try plain.decode(request)
    }
}
