import DarkroomCore
import FoundationEssentials
import Synchronization

/// A loader that returns another local version on every call.
final class ChangingVersionLoader: MemLoader {
    private let count = Atomic(0)

    func localVersion(of url: URL) -> LocalVersion? { LocalVersion("\(count.add(1, ordering: .relaxed).newValue)") }
}
