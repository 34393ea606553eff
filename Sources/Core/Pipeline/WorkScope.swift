/// The urgency, the cancellation and the clock of one run, which all of its work shares.
struct WorkScope: Sendable {
    /// The urgency of the most urgent caller.
    let urgency: Urgency
    /// Set when the last caller has left.
    let cancellation: CancellationFlag
    /// The one clock of decoding, transforming and encoding.
    let clock: WorkClock

    /// Returns a monitor that stops the work of `stage` when the run is cancelled or its time has run out.
    func monitor(_ stage: ImageError.Stage) -> WorkMonitor {
        WorkMonitor(cancellation: cancellation, clock: clock, stage: stage)
    }
}
