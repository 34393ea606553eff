import DarkroomCore
import Synchronization

/// A transformer that has another identifier on every call.
final class ChangingIdentifierTransformer: InvertingTransformer {
    private let count = Atomic(0)

    var identifier: String { "Inverting(\(count.add(1, ordering: .relaxed).newValue))" }
}
