#if os(Linux)
    import DarkroomCore
    import DarkroomPlatform

    /// Decides, while a worker is busy with a call, whether to wait on.
    struct CallWatch {
        enum Verdict {
            case wait
            case askToStop
            case end(any Error)
        }

        /// How long a worker has to stop, or to notice that its time has run out. A row of a large picture takes some
        /// milliseconds, but many more where others use the processor.
        private static let grace = Duration.milliseconds(250)

        /// A worker that works for less than this part of the longest rest has not interrupted it.
        private static let leastWork = 50

        private let call: Call
        let start = ContinuousClock.now
        private let timeLeft: Duration
        private let startTime: Int64
        private let threadCount: Int
        private let longestRest: Duration
        private var stop: (reason: any Error, time: ContinuousClock.Instant)?
        private var lastWork: (processorTime: Int64, time: ContinuousClock.Instant)

        /// Starts to watch a call to a worker that has used `processorTime` so far.
        init(_ call: Call, processorTime: Int64, _ configuration: WorkerPool.Configuration) {
            self.call = call
            timeLeft = max(.zero, call.clock.timeLeft)
            startTime = processorTime
            (threadCount, longestRest) = (configuration.threadCount, configuration.longestRest)
            lastWork = (processorTime, start)
        }

        /// Returns what to do with a worker that has used `processorTime`, and whose state in `/proc` is `state`.
        mutating func verdict(processorTime: Int64, state: () -> CChar) -> Verdict {
            let now = ContinuousClock.now
            if let stop { return now - stop.time > Self.grace ? .end(stop.reason) : .wait }
            do { try call.check() } catch {
                stop = (error, now)
                return .askToStop
            }
            guard processorTime >= 0 else { return .wait }
            let work = Duration.nanoseconds(processorTime - lastWork.processorTime)
            if work >= longestRest / Self.leastWork { lastWork = (processorTime, now) }
            let spent = Duration.nanoseconds(processorTime - startTime)
            if spent > timeLeft * threadCount + Self.grace {
                call.clock.add(timeSpent: max(spent, timeLeft))
                do { try call.check() } catch { return .end(error) }
            }
            // A worker that waits for a processor, or for memory, is not at fault.
            if now - lastWork.time > longestRest, [0x53, 0x54, 0x74].contains(state()) {  // S, T and t
                return .end(WorkerLoss("it stopped working"))
            }
            return .wait
        }
    }
#endif
