import DarkroomCore
import FoundationEssentials

/// A loader that accepts every URL.
struct AnyURLLoader: MemLoader {
    func canLoad(_ url: URL) -> Bool { true }
}
