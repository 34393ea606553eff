import DarkroomCore
import DarkroomTestKit

/// A coder that takes the width for the height, in the header and in the pixels.
struct SwappedSidesCoder: PlainCoderWrapper {
    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try plain.info(of: request)
        info.storedSize = PixelSize(info.storedSize.height, info.storedSize.width)
        return info
    }
}
