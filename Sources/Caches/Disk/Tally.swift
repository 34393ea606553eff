import Synchronization

/// A value that work on several threads adds to.
final class Tally<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    /// The value at this moment.
    var value: Value { state.withLock { $0 } }

    /// Changes it; nobody else does in the meantime.
    func change<Result: Sendable>(_ body: (inout Value) -> Result) -> Result { state.withLock { body(&$0) } }
}
