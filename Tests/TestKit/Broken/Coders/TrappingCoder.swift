import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that reads beyond the end of a truncated file, which traps.
struct TrappingCoder: PlainCoderWrapper {
    func info(of request: InfoRequest) throws -> ImageInfo {
        precondition(request.data.count != 8 || !ImageFormat.plain.matches(request.data), "out of bounds")
        return try plain.info(of: request)
    }
}
