import DarkroomCore
import FoundationEssentials
import Synchronization

/// The version of its source is another one each time.
final class ChangingVersions: NearlySoundLoader {
    private let count = Atomic(0)

    func localVersion(of url: URL) -> String? { "\(count.add(1, ordering: .relaxed).newValue)" }
}
