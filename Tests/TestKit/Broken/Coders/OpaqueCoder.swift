import DarkroomCore
import DarkroomTestKit

/// A coder that ignores the alpha of its files, in the header and in the pixels.
struct OpaqueCoder: PlainCoderWrapper {
    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try plain.info(of: request)
        info.hasAlpha = false
        return info
    }

    func decode(_ request: DecodeRequest) throws -> Bitmap {
        var info = request.info
        info.hasAlpha = true
        let bytes = try plain.decode(DecodeRequest(data: request.data, info: info, context: request.context)).bytes
        return try Bitmap(
            info.storedSize, bytes: bytes.indices.map { $0 % 4 == 3 ? 255 : bytes[$0] }, hasAlpha: false)
    }
}
