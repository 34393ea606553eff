extension ImageLoader {
    /// A loader that tries again what this one failed at, if `policy` says so; `clock` times the pauses.
    ///
    /// It tells of each pause. Cancelling ends one at once. A body that breaks off while it is read is not tried again: by
    /// then, its first bytes have been seen. Limit first and retry then, `limited().retrying()`, and a load that pauses
    /// takes no place.
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
                        let pause = policy.pause(afterAttempt: attempt, error)
                    else { throw error }
                    request.report(.retries(after: pause, because: error))
                    try await stopwatch.wait(stopwatch.elapsed() + pause)
                    attempt += 1
                }
            }
        }
    }
}
