import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// Its header never tells of alpha.
struct LyingAboutAlpha: NearlySoundCoder {
    func info(of data: Data) throws -> ImageInfo {
        var info = try plain.info(of: data)
        info.hasAlpha = false
        return info
    }
}
