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
            func delay(after error: ImageError) -> Duration? {
                guard policy.retries?(error) ?? (error.isTransient && !remembers(error)) else { return nil }
                return policy.delay(afterAttempt: attempt, error: error)
            }
            while true {
                let (failure, pause): (ImageError, Duration)
                do {
                    let response = try await load(request)
                    guard let error = rejection(of: response, for: request), let delay = delay(after: error) else {
                        return response
                    }
                    (failure, pause) = (error, delay)
                } catch {
                    let error = ImageError(error, in: .load)
                    guard error.kind != .cancelled, !Task.isCancelled else { throw ImageError.cancelled }
                    guard let delay = delay(after: error) else { throw error }
                    (failure, pause) = (error, delay)
                }
                request.report(.retries(after: pause, because: failure))
                try await stopwatch.wait(stopwatch.elapsed() + pause)
                attempt += 1
            }
        }
    }
}
