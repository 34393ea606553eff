import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that throws an error of its own for bytes that are not an image.
struct ForeignJunkErrorCoder: PlainCoderWrapper {
    struct Junk: Error {}

    func info(of request: InfoRequest) throws -> ImageInfo {
        do {
            return try plain.info(of: request)
        } catch {
            throw Junk()
        }
    }
}
