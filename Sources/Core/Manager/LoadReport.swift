/// The report of a load: the time of its stages, the decision of the caches, and the limits that applied.
///
/// Callers that share a run share its report.
public struct LoadReport: Sendable {
    /// The steps of a load in their usual order. The report omits steps that did not happen.
    public enum Step: String, Hashable, Sendable, CaseIterable {
        /// Reading an entry from the data cache.
        case disk
        /// Reading an entry from the shared cache.
        case shared
        /// Asking for a lease, and waiting for another node that holds it.
        case lease
        /// Waiting for permission to start the transfer.
        case queue
        /// Resolving the host and connecting to it, if the loader reports that separately.
        case connect
        /// Waiting for the response head.
        case firstByte
        /// Receiving the body.
        case body
        /// Waiting for memory to decode.
        case memory
        /// Decoding the bytes into pixels.
        case decode
        /// Applying the transformers.
        case transform
        /// Encoding the result into a file.
        case encode
        /// Storing the image, as far as its delivery had to wait for that.
        case store

        /// Whether the step is part of the transfer, which loads of different sizes share.
        public var isTransfer: Bool { [.queue, .connect, .firstByte, .body].contains(self) }
    }

    /// One execution of a step.
    public struct Stage: Sendable {
        /// The step.
        public let step: Step

        /// The start time.
        public let start: ContinuousClock.Instant

        /// How long it took.
        public let duration: Duration

        /// The method of a decode, if the coder reports one, such as `libjpeg at 1/8`. It is meant to be read, and may
        /// change with any version.
        public internal(set) var detail: String?

        init(step: Step, start: ContinuousClock.Instant, duration: Duration) {
            self.step = step
            self.start = start
            self.duration = duration
        }
    }

    /// The values that a memory hit does not have. They are copied on write, and `nil` until one is set, because most
    /// loads are memory hits.
    private final class Details: Sendable {
        let stages: [Stage]
        let limits: [String]
        let receivedByteCount: Int
        let retryCount: Int
        let workTime: Duration
        let chosenQuality: ChosenQuality?

        init(
            stages: [Stage], limits: [String], receivedByteCount: Int, retryCount: Int, workTime: Duration,
            chosenQuality: ChosenQuality?
        ) {
            self.chosenQuality = chosenQuality
            self.stages = stages
            self.limits = limits
            self.receivedByteCount = receivedByteCount
            self.retryCount = retryCount
            self.workTime = workTime
        }
    }

    private var details: Details?

    /// The stages in the order in which they ended.
    public var stages: [Stage] {
        get { details?.stages ?? [] }
        set { setDetails(stages: newValue) }
    }

    /// The decision of the caches on the request.
    public var decision: CacheDecision

    /// The number of bytes received from a loader; 0 if none was called or the origin server confirmed the cached
    /// bytes.
    public var receivedByteCount: Int {
        get { details?.receivedByteCount ?? 0 }
        set { setDetails(receivedByteCount: newValue) }
    }

    /// The number of retries of the transfer.
    public var retryCount: Int {
        get { details?.retryCount ?? 0 }
        set { setDetails(retryCount: newValue) }
    }

    /// The limits that changed the result, one sentence each.
    public var limits: [String] {
        get { details?.limits ?? [] }
        set { setDetails(limits: newValue) }
    }

    /// The quality that was chosen for a file with ``ImageContext/visualTarget``; `nil` for other files, and for one from a
    /// cache.
    public internal(set) var chosenQuality: ChosenQuality? {
        get { details?.chosenQuality }
        set { setDetails(chosenQuality: newValue) }
    }

    /// The time spent on decoding and transforming, which, unlike the durations of these steps, do not include
    /// waiting for a thread.
    var workTime: Duration {
        get { details?.workTime ?? .zero }
        set { setDetails(workTime: newValue) }
    }

    /// Whether this load joined the run of another caller.
    public var isJoined = false

    /// Whether this load used the transfer of another run.
    public var isTransferJoined = false

    /// Creates a report with only a decision.
    public init(decision: CacheDecision) { self.decision = decision }

    /// Adds the values of a run that this load has waited for, except its stages.
    mutating func add(_ other: LoadReport) {
        decision = other.decision
        guard let added = other.details else { return }
        setDetails(
            limits: limits + added.limits, receivedByteCount: receivedByteCount + added.receivedByteCount,
            retryCount: retryCount + added.retryCount)
    }

    private mutating func setDetails(
        stages: [Stage]? = nil, limits: [String]? = nil, receivedByteCount: Int? = nil, retryCount: Int? = nil,
        workTime: Duration? = nil, chosenQuality: ChosenQuality? = nil
    ) {
        details = Details(
            stages: stages ?? self.stages, limits: limits ?? self.limits,
            receivedByteCount: receivedByteCount ?? self.receivedByteCount,
            retryCount: retryCount ?? self.retryCount, workTime: workTime ?? self.workTime,
            chosenQuality: chosenQuality ?? self.chosenQuality)
    }

    /// Returns the total duration of `step`; `nil` if it did not happen.
    public func duration(of step: Step) -> Duration? {
        let stages = stages.filter { $0.step == step }
        return stages.isEmpty ? nil : stages.reduce(.zero) { $0 + $1.duration }
    }
}
