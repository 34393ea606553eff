public import DarkroomCore

/// A loader that tries again what another one failed at for a moment: a time-out, a broken connection, a status that says so.
///
/// It is a `LoaderWrapper`, so that all that the other loader says of itself, it says too.
public struct RetryingLoader<Base: ImageLoader, Time: Clock<Duration>>: LoaderWrapper {
    /// The loader that is tried again.
    public let base: Base

    private let pauses: [Duration]
    private let clock: Time

    /// A loader that waits for each of `pauses` in turn before it tries `base` again. A test brings its own `clock`.
    public init(_ base: Base, pauses: [Duration] = [.seconds(0.5), .seconds(1), .seconds(2)], on clock: Time) {
        self.base = base
        self.pauses = pauses
        self.clock = clock
    }

    /// Loads, and after a passing failure waits and loads again; the last failure is thrown.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        for pause in pauses {
            do {
                return try await base.load(request)
            } catch let error as ImageError where error.isTransient && !base.remembers(error) {
                // Shown in events and reports: whoever waits wants to know why.
                request.report(.retries(after: pause, because: error))
                try await clock.sleep(for: pause)
            }
        }
        return try await base.load(request)
    }
}

extension ImageLoader {
    /// This loader, which tries again after each of `pauses`.
    public func tryingAgain(
        after pauses: [Duration] = [.seconds(0.5), .seconds(1), .seconds(2)]
    ) -> RetryingLoader<Self, ContinuousClock> {
        RetryingLoader(self, pauses: pauses, on: ContinuousClock())
    }
}
