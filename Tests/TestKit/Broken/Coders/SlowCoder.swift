import DarkroomCore
import DarkroomTestKit

/// A coder that decodes the image thousands of times before it returns it.
struct SlowCoder: PlainCoderWrapper {
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        for _ in 1..<8_000 { _ = try plain.decode(request) }
        return try plain.decode(request)
    }
}
