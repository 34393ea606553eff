#if S3
    import DarkroomCore
    import DarkroomPlatform
    import Synchronization

    /// The credentials of a provider, refreshed before they expire by one request, however many callers need them.
    final class CredentialsCache: Sendable {
        private struct State {
            var current: S3Credentials?
            /// The time before which valid credentials are not refreshed again.
            var nextRefresh = Date.distantPast

            /// The credentials, unless they have expired.
            func valid(at date: Date) -> S3Credentials? {
                current.flatMap { $0.expiration ?? .distantFuture > date ? $0 : nil }
            }
        }

        /// The key of all refreshes.
        private enum Key { case refresh }

        /// The time before the expiration at which credentials are refreshed.
        private static let margin: TimeInterval = 300

        /// The pause after a refresh.
        private static let pause: TimeInterval = 20

        private let provider: any S3CredentialsProvider
        private let now: @Sendable () -> Date
        private let state = Mutex(State())
        /// The refresh in flight. It goes on without callers: they may all have less time than it takes.
        private let refreshes = SingleFlight<Key, S3Credentials, Never>(endsWithoutCallers: false)

        init(_ provider: any S3CredentialsProvider, now: @escaping @Sendable () -> Date = { Date() }) {
            self.provider = provider
            self.now = now
        }

        deinit { refreshes.cancelAll() }

        /// Whether a refresh is in flight.
        var isRefreshing: Bool { refreshes.count > 0 }

        /// The number of callers so far that joined a refresh in flight.
        var joinedCount: Int { refreshes.joinedCount }

        /// Returns valid credentials. Waits only if there are none, and a cancelled caller leaves at once.
        func credentials() async throws -> S3Credentials {
            let date = now()
            let (valid, isDue) = state.withLock { state in
                let valid = state.valid(at: date)
                let isOld = valid?.expiration.map { $0.timeIntervalSince(date) < Self.margin } ?? false
                return (valid, isOld && date >= state.nextRefresh)
            }
            guard let valid else { return try await refresh() }
            if isDue, !isRefreshing { _ = Task.starting(isolation: nil, refresh) }
            return valid
        }

        /// Forgets `credentials`, which the engine has rejected, so that the next call returns others.
        func discard(_ credentials: S3Credentials) {
            state.withLock { state in
                if state.current == credentials { state.current = nil }
            }
        }

        /// Waits for the refresh, which it starts if none is in flight. It does not reference the cache, whose release
        /// cancels it.
        private var refresh: @Sendable () async throws -> S3Credentials {
            { [weak self, provider, refreshes] in
                defer { StateChanges.notify() }
                return try await refreshes.value(for: .refresh) { [weak self] _ in
                    // Another refresh may just have ended.
                    if let new = self?.newCredentials { return new }
                    let outcome = await Self.answer(of: provider)
                    self?.finish(with: outcome)
                    return try outcome.get()
                }
            }
        }

        /// The credentials of a refresh that has ended, unless another one is due.
        private var newCredentials: S3Credentials? {
            let date = now()
            return state.withLock { date < $0.nextRefresh ? $0.valid(at: date) : nil }
        }

        private static func answer(of provider: any S3CredentialsProvider) async -> Result<S3Credentials, ImageError> {
            do {
                guard let credentials = try await provider.credentials() else { return .failure(missing) }
                return .success(credentials)
            } catch let error as ImageError {
                return .failure(error)
            } catch {
                return .failure(ImageError(.refused, .request, "the credentials cannot be loaded", underlying: error))
            }
        }

        private func finish(with outcome: Result<S3Credentials, ImageError>) {
            let date = now()
            state.withLock { state in
                if case .success(let credentials) = outcome { state.current = credentials }
                state.nextRefresh = date + Self.pause
            }
        }

        private static let missing = ImageError(
            .refused, .request, "there are no credentials; set them with S3Configuration.credentials")
    }
#endif
