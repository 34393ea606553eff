import Synchronization

/// A value that is made when it is first needed, once for all threads.
final class Lazy<Value: Sendable>: Sendable {
    private let made = Mutex<Value?>(nil)
    private let make: @Sendable () -> Value

    /// Creates a value that `make` makes.
    init(_ make: @escaping @Sendable () -> Value) { self.make = make }

    /// The value.
    var value: Value {
        made.withLock { made in
            let value = made ?? make()
            made = value
            return value
        }
    }
}
