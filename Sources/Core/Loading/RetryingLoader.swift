extension ImageLoader {
    /// Returns a loader that retries failed loads of this one according to `policy`. `clock` measures the delays.
    ///
    /// Each retry is reported as a milestone, and cancellation ends a delay at once. A body that fails while it is read
    /// is not retried, because its first bytes have been delivered. Apply limits first, as in `limited().retrying()`,
    /// so that a delayed load holds no slot.
    public func retrying<C: Clock>(
        _ policy: RetryPolicy = .init(), on clock: C = ContinuousClock()
    ) -> some ImageLoader where C.Duration == Duration {
        let stopwatch = Stopwatch(clock)
        return ModifyingLoader(base: self) { request, load in
            var attempt = 1
            while true {
                do {
                    return try await load(request)
                } catch {
                    let error = ImageError(error, in: .load)
                    guard error.kind != .cancelled, !Task.isCancelled else { throw ImageError.cancelled }
                    guard policy.retries?(error) ?? (error.isTransient && !remembers(error)),
                        let delay = policy.delay(afterAttempt: attempt, error: error)
                    else { throw error }
                    request.report(.retries(after: delay, because: error))
                    try await stopwatch.wait(stopwatch.elapsed() + delay)
                    attempt += 1
                }
            }
        }
    }
}
