import Synchronization

/// What happened in a test, in the order it happened.
public final class Recorder<Element: Sendable>: Sendable {
    private let elements = Mutex<[Element]>([])

    /// Nothing has happened yet.
    public init() {}

    /// Everything so far.
    public var values: [Element] { elements.withLock { $0 } }

    /// Notes `element`.
    public func note(_ element: Element) { elements.withLock { $0.append(element) } }
}
