import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// What is no picture ends in an error of its own.
struct ThrowingForeignErrorsAtJunk: NearlySoundCoder {
    struct Junk: Error {}

    func info(of request: InfoRequest) throws -> ImageInfo {
        do {
            return try plain.info(of: request)
        } catch {
            throw Junk()
        }
    }
}
