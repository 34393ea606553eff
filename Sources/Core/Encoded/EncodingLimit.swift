/// The limit on the encoded results that a manager makes at once. See ``ImageManager/Components/encodingLimit``.
///
/// Under overload, a server refuses requests at once instead of queueing them for longer than their clients wait.
public struct EncodingLimit: Hashable, Sendable {
    /// The number of results made at once, at least 1. Decoding also waits for memory, so it may exceed the number of
    /// cores.
    public var running = 16

    /// The number of results that may wait. Requests beyond it fail with an error of kind `busy`, the least urgent first.
    public var waiting = 256

    /// The number of results made at once of the sources of one host, which may have the same part of the places to wait;
    /// `nil`, the default, for no limit.
    ///
    /// Without it, requests for a host that does not respond take all places, and those for other hosts wait, or fail.
    public var runningPerHost: Int?

    /// Creates the default limit.
    public init() {}

    /// The number of results of one host that may wait.
    var waitingPerHost: Int? {
        guard let runningPerHost else { return nil }
        let part = min(1, Double(max(1, runningPerHost)) / Double(max(1, running)))
        return max(1, Int(saturating: Double(waiting) * part))
    }
}
