import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// What is no picture ends in an error of its own.
struct ThrowingForeignErrorsAtJunk: NearlySoundCoder {
    struct Junk: Error {}

    func info(of data: Data) throws -> ImageInfo {
        do {
            return try plain.info(of: data)
        } catch {
            throw Junk()
        }
    }
}
