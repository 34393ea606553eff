import Synchronization

/// Tells blocking work that nobody waits for it any more.
///
/// Coders and transformers run on threads of Core's own, where `Task.isCancelled` says nothing; they see this flag
/// through their request.
public final class CancellationFlag: Sendable {
    private let value = Atomic(false)

    /// A flag that is not set.
    public init() {}

    /// Whether the work should stop.
    public var isSet: Bool { value.load(ordering: .relaxed) }

    /// Asks the work to stop; for good.
    public func set() { value.store(true, ordering: .relaxed) }

    /// Throws an `ImageError` of kind `cancelled` once the flag is set.
    public func check() throws(ImageError) {
        if isSet { throw .cancelled }
    }
}
