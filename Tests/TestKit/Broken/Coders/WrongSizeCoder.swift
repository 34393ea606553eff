import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that returns headers that declare one row too many.
struct WrongSizeCoder: PlainCoderWrapper {
    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try plain.info(of: request)
        info.storedSize.height += 1
        return info
    }

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        try plain.decode(DecodeRequest(data: request.data, info: plain.info(of: request.data)))
    }
}
