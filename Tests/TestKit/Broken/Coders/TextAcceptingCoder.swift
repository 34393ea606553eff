import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// A coder that accepts every file as one of its format.
struct TextAcceptingCoder: PlainCoderWrapper {
    func canDecode(_ data: Data) -> Bool { !data.isEmpty }
}
