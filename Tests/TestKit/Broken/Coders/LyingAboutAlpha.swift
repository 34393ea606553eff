import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// Its header never tells of alpha.
struct LyingAboutAlpha: NearlySoundCoder {
    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try plain.info(of: request)
        info.hasAlpha = false
        return info
    }
}
