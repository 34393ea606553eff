import DarkroomCore
import FoundationEssentials
import Synchronization

/// A filter that returns another key on every call.
final class NondeterministicFilter: CacheKeyFilter {
    private let time = Atomic(0)

    func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        "\(time.add(1, ordering: .relaxed).newValue) \(text.split(separator: " ").last ?? "")"
    }
}
