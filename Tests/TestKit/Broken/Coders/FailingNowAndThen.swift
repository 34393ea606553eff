import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A byte in the middle of a file makes it throw something of its own: only a fuzzer finds that.
struct FailingNowAndThen: NearlySoundCoder {
    struct Surprise: Error {}

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        if request.data.dropFirst(11).dropFirst(40).first == 0x7F { throw Surprise() }
        return try plain.decode(request)
    }
}
