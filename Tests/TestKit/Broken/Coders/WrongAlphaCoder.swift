import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that returns headers that never declare alpha.
struct WrongAlphaCoder: PlainCoderWrapper {
    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try plain.info(of: request)
        info.hasAlpha = false
        return info
    }
}
