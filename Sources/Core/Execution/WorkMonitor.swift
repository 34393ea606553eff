/// The reasons to stop work early: its last caller has left, or its time has run out.
package struct WorkMonitor: Sendable {
    /// The flag that is set when the last caller has left.
    package let cancellation: CancellationFlag?
    /// The clock of the work.
    package let clock: WorkClock
    /// The stage that the error names when the time has run out.
    let stage: ImageError.Stage

    /// Whether the work should stop.
    var isOver: Bool { (cancellation?.isSet ?? false) || clock.hasRunOut }

    /// Throws the reason if the work should stop.
    package func check() throws(ImageError) {
        try cancellation?.check()
        guard clock.hasRunOut else { return }
        throw ImageError(
            .overLimit, stage,
            "the work exceeds workTime, and the limit is \(clock.limit ?? .zero); raise it with context.limits.workTime"
        )
    }
}

extension WorkClock {
    /// Returns a clock that runs from now on, for work outside a load.
    static func running(limit: Duration?) -> WorkClock {
        let clock = WorkClock(limit: limit)
        clock.restart()
        return clock
    }
}
