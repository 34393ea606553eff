import DarkroomCore
import DarkroomTestKit

/// A coder that writes blue where red belongs.
struct SwappedChannelsCoder: PlainCoderWrapper {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        let bitmap = try plain.decode(request)
        let bytes = bitmap.bytes
        return try Bitmap(
            bitmap.size, bytes: bytes.indices.map { bytes[$0 % 4 == 0 ? $0 + 2 : $0 % 4 == 2 ? $0 - 2 : $0] },
            hasAlpha: bitmap.hasAlpha)
    }
}
