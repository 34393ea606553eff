import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that throws an error of its own for truncated pixels.
struct ForeignErrorCoder: PlainCoderWrapper {
    struct CutOff: Error {}

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        do {
            return try plain.decode(request)
        } catch let error as ImageError where error.kind == .incomplete {
            throw CutOff()
        }
    }
}
