import DarkroomCore
import FoundationEssentials

/// It holds every URL for one of its own.
struct TakingAnyURL: NearlySoundLoader {
    func canLoad(_ url: URL) -> Bool { true }
}
