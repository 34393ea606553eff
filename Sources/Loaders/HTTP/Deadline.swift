#if HTTP
    import DarkroomCore
    import NIOCore

    /// A point in time at which waiting ends with an error that names the setting to change.
    struct Deadline: Sendable {
        /// When that is.
        let instant: NIODeadline

        /// What waiting ends with.
        let error: ImageError

        /// The time `duration` from now; `nil` when there is no bound. `event` is what did not happen until then.
        init?(after duration: Duration?, _ knob: String, _ event: String) {
            guard let duration else { return nil }
            instant = .now() + TimeAmount(duration)
            error = ImageError(
                .timedOut, .load,
                "the origin \(event) within \(duration); allow more with HTTPLoader.Configuration.\(knob)")
        }

        /// Whether waiting has no more sense.
        var hasPassed: Bool { instant <= .now() }

        /// The one that comes first.
        static func first(of deadlines: Deadline?...) -> Deadline? {
            deadlines.compactMap(\.self).min { $0.instant < $1.instant }
        }

        /// Runs `body`, and cancels it at `deadline`.
        ///
        /// It has a task of its own, so that it can be cancelled without the caller.
        static func run<Value: Sendable>(
            _ deadline: Deadline?, _ alarm: Alarm, body: @escaping @Sendable () async throws -> Value
        ) async throws -> Value {
            guard let deadline else { return try await body() }
            let hasPassed = CancellationFlag()
            let task = Task { try await body() }
            let call = alarm.set(deadline.instant) {
                hasPassed.set()
                task.cancel()
            }
            defer { alarm.takeBack(call) }
            let result = await withTaskCancellationHandler {
                await task.result
            } onCancel: {
                task.cancel()
            }
            // Even a value comes too late then: what `body` works on may have been cut off with it.
            if hasPassed.isSet { throw deadline.error }
            return try result.get()
        }
    }
#endif
