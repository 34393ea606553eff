/// The terms under which one run works: its urgency, its cancellation, and the time that its work may take.
struct WorkScope: Sendable {
    /// The urgency of the most urgent caller.
    let urgency: Urgency
    /// Set when the last caller has left.
    let cancellation: CancellationFlag
    /// The one clock of decoding, transforming and encoding.
    let clock: WorkClock

    /// What ends the work of `stage` before it is done.
    func monitor(_ stage: ImageError.Stage) -> WorkMonitor {
        WorkMonitor(cancellation: cancellation, clock: clock, stage: stage)
    }
}
