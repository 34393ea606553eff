/// How a load went: what its stages took, what the caches decided, and what was in the way.
///
/// Callers that share a run share its report.
public struct LoadReport: Sendable {
    /// What a load does, in the usual order. Steps that did not happen are not in the report.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// Reading an entry of the data cache.
        case disk
        /// Waiting for a turn to transfer.
        case queue
        /// Finding the origin and connecting to it, where the loader tells that apart.
        case connect
        /// Waiting for the head of the answer.
        case firstByte
        /// Receiving the body.
        case body
        /// Waiting until there is memory to decode.
        case memory
        /// Making pixels of bytes.
        case decode
        /// Making other pixels of pixels.
        case transform
        /// Keeping the picture, so far as its delivery waited for that.
        case store

        /// Whether it is part of bringing the bytes, which loads of different sizes share.
        public var isTransfer: Bool { [.queue, .connect, .firstByte, .body].contains(self) }
    }

    /// One step, once.
    public struct Stage: Sendable {
        /// What was done.
        public let step: Step

        /// When that began.
        public let start: ContinuousClock.Instant

        /// How long it took.
        public let duration: Duration
    }

    /// What was done, in the order it ended.
    public var stages: [Stage] = []

    /// What the caches made of the request.
    public var decision: CacheDecision

    /// How many bytes came from a loader; 0 when none was asked, or nothing had changed.
    public var receivedByteCount = 0

    /// How often a transfer failed and was tried again.
    public var retryCount = 0

    /// The limits that changed the outcome, a sentence each.
    public var limits: [String] = []

    /// Whether the work was another's, which this load joined.
    public var isShared = false

    /// Whether another load's transfer brought the bytes, which this load joined.
    public var isTransferShared = false

    /// A report of nothing but `decision`.
    public init(decision: CacheDecision) { self.decision = decision }

    /// What `step` took, in all; `nil` when it did not happen.
    public func duration(of step: Step) -> Duration? {
        let stages = stages.filter { $0.step == step }
        return stages.isEmpty ? nil : stages.reduce(.zero) { $0 + $1.duration }
    }
}
