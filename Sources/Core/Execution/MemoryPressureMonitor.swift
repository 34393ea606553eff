import Synchronization

/// Monitors memory pressure for as long as the monitor lives. Pressure is monitored only by monitors that a host
/// creates.
///
/// The sources are the kernel's pressure stall information (`/proc/pressure/memory`) and the version 2 control groups
/// of this process, where they exist and are readable. Without any, as on other systems, the pressure stays `normal`; a
/// host that knows better can notify the caches itself. No thread is occupied between two readings.
public final class MemoryPressureMonitor: Sendable {
    /// The time after which a continuing pressure is reported again: releasing memory once may not have been enough.
    static let reminderInterval = Duration.seconds(5)

    private let watching: Task<Void, Never>

    /// Creates a monitor that reads the pressure every `interval` and calls `onChange` with each change; it starts at
    /// `normal`.
    ///
    /// While the pressure stays above `normal`, it is reported again every five seconds.
    public convenience init(
        every interval: Duration = .seconds(1), onChange: @escaping @Sendable (MemoryPressure) -> Void
    ) {
        self.init(MemoryPressureReader(), clock: ContinuousClock(), every: interval, onChange: onChange)
    }

    init(
        _ reader: MemoryPressureReader, clock: any Clock<Duration>, every interval: Duration,
        onChange: @escaping @Sendable (MemoryPressure) -> Void
    ) {
        let sampler = PressureSampler(reader: reader, stopwatch: Stopwatch(clock), onChange: onChange)
        let executor = WorkExecutor(name: "memory pressure", width: 1)
        watching = Task {
            // The first reading is the baseline for those that follow.
            while (try? await executor.run { sampler.sample() }) != nil, (try? await clock.sleep(for: interval)) != nil
            {}
        }
    }

    deinit { watching.cancel() }

    /// Returns a sequence of what a monitor reports, for as long as it is read. A slow reader gets only the newest
    /// pressure.
    public static func changes(every interval: Duration = .seconds(1)) -> AsyncStream<MemoryPressure> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { stream in
            let monitor = MemoryPressureMonitor(every: interval) { stream.yield($0) }
            stream.onTermination = { _ in withExtendedLifetime(monitor) {} }
        }
    }
}

/// Reads the pressure and reports changes.
private final class PressureSampler: Sendable {
    private struct State {
        var reader: MemoryPressureReader
        var time = ContinuousClock.now
        var pressure = MemoryPressure.normal
        /// The time of the last report.
        var reported = Duration.zero
    }

    private let state: Mutex<State>
    private let stopwatch: Stopwatch
    private let onChange: @Sendable (MemoryPressure) -> Void

    init(
        reader: MemoryPressureReader, stopwatch: Stopwatch, onChange: @escaping @Sendable (MemoryPressure) -> Void
    ) {
        state = Mutex(State(reader: reader))
        self.stopwatch = stopwatch
        self.onChange = onChange
    }

    func sample() {
        let change = state.withLock { state -> MemoryPressure? in
            let now = ContinuousClock.now
            let pressure = state.reader.read(after: now - state.time)
            state.time = now
            let elapsed = stopwatch.elapsed()
            let isDue = pressure > .normal && elapsed - state.reported >= MemoryPressureMonitor.reminderInterval
            guard pressure != state.pressure || isDue else { return nil }
            (state.pressure, state.reported) = (pressure, elapsed)
            return pressure
        }
        if let change { onChange(change) }
    }
}
