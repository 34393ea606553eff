import DarkroomCore
import DarkroomTestKit
import FoundationEssentials

/// It holds everything for a file of its own.
struct TakingText: NearlySoundCoder {
    func canDecode(_ data: Data) -> Bool { !data.isEmpty }
}
