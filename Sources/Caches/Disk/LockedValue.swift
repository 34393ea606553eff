import Synchronization

/// A value protected by a lock, for concurrent accumulation.
final class LockedValue<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    /// The current value.
    var value: Value { state.withLock { $0 } }

    /// Modifies the value with exclusive access.
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { state.withLock { body(&$0) } }
}
