extension Task where Failure == any Error {
    /// Starts a task on the current thread, where it runs up to its first suspension. That spares the wake-up of another
    /// thread.
    ///
    /// If the caller is isolated to an actor, such as the main one, or the system is older than that feature of Swift,
    /// the task starts on another thread, so that it does not hold up the actor. `isolation` is the actor of the caller.
    package static func starting(
        isolation: (any Actor)? = #isolation, _ operation: @escaping @Sendable () async throws -> Success
    ) -> Task {
        guard isolation == nil, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) else {
            return Task { try await operation() }
        }
        return .immediate { try await operation() }
    }
}
