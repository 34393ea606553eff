#if os(Linux) || os(macOS)
    /// The clock of a node in a simulation, which may be wrong.
    struct VirtualClock: Clock {
        struct Instant: InstantProtocol {
            var offset: Duration

            func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
            func duration(to other: Instant) -> Duration { other.offset - offset }
            static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
        }

        private static let million: Int64 = 1_000_000

        let runtime: VirtualRuntime
        /// How far the clock is ahead at the start.
        var skew = Duration.zero
        /// How much faster than time it runs, in millionths.
        var drift: Int64 = 0

        var now: Instant {
            Instant(offset: runtime.now * (Self.million + drift) / Self.million + skew)
        }

        var minimumResolution: Duration { .zero }

        func sleep(until deadline: Instant, tolerance: Duration?) async throws {
            var time = deadline.offset - skew
            if drift != 0 {
                // Rounded up: a clock must not wake anyone before the deadline.
                time = time * Self.million / (Self.million + drift)
                time += Duration(secondsComponent: 0, attosecondsComponent: 2)
            }
            try await runtime.sleep(until: time)
        }
    }
#endif
