import DarkroomCore

/// Limits the number of stores and removals at once, and tells when those in flight hang.
///
/// Writes that hang while reads are answered are the most frequent failure of an object store: it may have lost a volume.
final class WriteQueue: Sendable {
    private let queue: AdmissionQueue
    private let silence: SilenceWatch

    /// Creates a queue of `limit` writes at once. If there are at least four or `limit` of them, because one or two may be
    /// slow by themselves, and none ends within `patience`, they count as hanging.
    init(limit: Int, patience: Duration, clock: some Clock<Duration> = ContinuousClock()) {
        queue = AdmissionQueue(limit: limit)
        silence = SilenceWatch(patience: patience, suspiciousCount: max(1, min(limit, 4)), clock: clock)
    }

    /// Whether the writes in flight hang.
    var isStalled: Bool { silence.isSilent }

    /// Runs `body` when its turn has come, after those of higher `priority`.
    func write(_ priority: LoadPriority = .normal, _ body: () async throws -> Void) async throws {
        let admission = try await queue.admit(priority)
        defer { admission.release() }
        _ = silence.begin()
        // A failure as well: what was waited for has ended.
        defer { silence.end(isAnswered: true) }
        try await body()
    }
}
