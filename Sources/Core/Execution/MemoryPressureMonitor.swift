import Synchronization

/// Watches how scarce memory is for as long as it lives. Nothing watches unless somebody makes one.
///
/// It looks at pressure stall information (`/proc/pressure/memory`) and at the control groups of version 2 that this process
/// is in, as far as they are there and readable. Where none is, as on other systems, it says `normal` for good; the host may
/// know better, and tell caches itself. Between two looks it takes no thread.
public final class MemoryPressureMonitor: Sendable {
    /// How long memory stays scarce until that is told again: what was given back once may not have been enough.
    static let reminderInterval = Duration.seconds(5)

    private let watching: Task<Void, Never>

    /// A monitor that looks every `interval`, and calls `onChange` with each new pressure; at first it is `normal`.
    ///
    /// As long as memory stays scarce, the pressure is told again every five seconds.
    public convenience init(
        every interval: Duration = .seconds(1), onChange: @escaping @Sendable (MemoryPressure) -> Void
    ) {
        self.init(MemoryPressureReader(), clock: ContinuousClock(), every: interval, onChange: onChange)
    }

    init(
        _ reader: MemoryPressureReader, clock: any Clock<Duration>, every interval: Duration,
        onChange: @escaping @Sendable (MemoryPressure) -> Void
    ) {
        let look = Look(reader, Stopwatch(clock), onChange)
        let executor = WorkExecutor(name: "memory pressure", width: 1)
        watching = Task {
            // The first look is what later ones are compared with.
            while (try? await executor.run { look.now() }) != nil, (try? await clock.sleep(for: interval)) != nil {}
        }
    }

    deinit { watching.cancel() }

    /// What a monitor would tell, for as long as somebody reads it; a slow reader gets the newest only.
    public static func changes(every interval: Duration = .seconds(1)) -> AsyncStream<MemoryPressure> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { stream in
            let monitor = MemoryPressureMonitor(every: interval) { stream.yield($0) }
            stream.onTermination = { _ in withExtendedLifetime(monitor) {} }
        }
    }
}

/// What was seen last.
private final class Look: Sendable {
    private struct State {
        var reader: MemoryPressureReader
        var time = ContinuousClock.now
        var pressure = MemoryPressure.normal
        /// When it was told.
        var told = Duration.zero
    }

    private let state: Mutex<State>
    private let stopwatch: Stopwatch
    private let onChange: @Sendable (MemoryPressure) -> Void

    init(
        _ reader: MemoryPressureReader, _ stopwatch: Stopwatch, _ onChange: @escaping @Sendable (MemoryPressure) -> Void
    ) {
        state = Mutex(State(reader: reader))
        self.stopwatch = stopwatch
        self.onChange = onChange
    }

    func now() {
        let change = state.withLock { state -> MemoryPressure? in
            let now = ContinuousClock.now
            let pressure = state.reader.read(after: now - state.time)
            state.time = now
            let elapsed = stopwatch.elapsed()
            let isDue = pressure > .normal && elapsed - state.told >= MemoryPressureMonitor.reminderInterval
            guard pressure != state.pressure || isDue else { return nil }
            (state.pressure, state.told) = (pressure, elapsed)
            return pressure
        }
        if let change { onChange(change) }
    }
}
