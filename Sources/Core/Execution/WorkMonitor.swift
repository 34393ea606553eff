/// What ends work before it is done: its last caller leaves, or its time is used up.
struct WorkMonitor: Sendable {
    let cancellation: CancellationFlag?
    let clock: WorkClock
    /// The stage that is named when the time is used up.
    let stage: ImageError.Stage

    /// Whether the work should stop, for either reason.
    var isOver: Bool { (cancellation?.isSet ?? false) || clock.hasRunOut }

    /// Throws when the work should stop, and says why.
    func check() throws(ImageError) {
        try cancellation?.check()
        guard clock.hasRunOut else { return }
        throw ImageError(
            .overLimit, stage,
            "workSeconds has passed \(clock.limit), which is the limit; raise it with context.limits.workSeconds")
    }
}

extension WorkClock {
    /// A clock that runs from now on: of work that is asked for directly, and not by a load.
    static func running(limit: Double) -> WorkClock {
        let clock = WorkClock(limit: limit)
        clock.restart()
        return clock
    }
}
