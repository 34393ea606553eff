/// The limit on the encoded results that a manager makes at once. See ``ImageManager/Components/encodingLimit``.
///
/// Under overload, a server refuses requests at once instead of queueing them for longer than their clients wait.
public struct EncodingLimit: Hashable, Sendable {
    /// The number of results made at once, at least 1. Decoding also waits for memory, so it may exceed the number of
    /// cores.
    public var running = 16

    /// The number of results that may wait. Requests beyond it fail with an error of kind `busy`.
    public var waiting = 256

    /// Creates the default limit.
    public init() {}
}
