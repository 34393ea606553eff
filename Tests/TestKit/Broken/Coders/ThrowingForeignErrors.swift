import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// It throws errors of its own.
struct ThrowingForeignErrors: NearlySoundCoder {
    struct CutOff: Error {}

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        do {
            return try plain.decode(request)
        } catch let error as ImageError where error.kind == .incomplete {
            throw CutOff()
        }
    }
}
