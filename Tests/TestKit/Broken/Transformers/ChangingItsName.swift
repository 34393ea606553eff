import DarkroomCore
import Synchronization

/// Its identifier counts.
final class ChangingItsName: NearlySoundTransformer {
    private let count = Atomic(0)

    var identifier: String { "Inverting(\(count.add(1, ordering: .relaxed).newValue))" }
}
