import DarkroomCore
import FoundationEssentials

/// A loader that returns the same local version although the source has changed.
struct ConstantVersionLoader: MemLoader {
    func localVersion(of url: URL) -> LocalVersion? { LocalVersion("1") }
}
