import Synchronization

/// A flag that asks blocking work to stop because no caller waits for it any more.
///
/// Coders and transformers run on Core's own threads, outside any task, where `Task.isCancelled` is always false. They
/// find this flag in their request.
public final class CancellationFlag: Sendable {
    private let value = Atomic(false)
    private let probe: (@Sendable () -> Bool)?

    /// Creates a flag that is not set.
    public init() { probe = nil }

    /// Creates a flag that is also set once `probe` returns true, such as for a byte that another process writes.
    package init(probe: @escaping @Sendable () -> Bool) { self.probe = probe }

    /// Whether the work should stop.
    public var isSet: Bool { value.load(ordering: .relaxed) || probe?() == true }

    /// Asks the work to stop. A flag cannot be reset.
    public func set() { value.store(true, ordering: .relaxed) }

    /// Throws an `ImageError` of kind `cancelled` once the flag is set.
    public func check() throws(ImageError) {
        if isSet { throw .cancelled }
    }
}
