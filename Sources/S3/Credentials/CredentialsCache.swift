#if S3
    import DarkroomCore
    import Synchronization

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The credentials of a provider, refreshed before they expire by one request, however many callers need them.
    final class CredentialsCache: Sendable {
        private typealias Waiter = CheckedContinuation<S3Credentials, any Error>

        private struct State {
            var current: S3Credentials?
            var refresh: Task<Void, Never>?
            /// The time before which valid credentials are not refreshed again.
            var nextRefresh = Date.distantPast
            var waiters: [Int: Waiter] = [:]
            /// The callers that were cancelled before they waited.
            var cancelled: Set<Int> = []
            var lastID = 0

            /// The credentials, unless they have expired.
            func valid(at date: Date) -> S3Credentials? {
                current.flatMap { $0.expiration ?? .distantFuture > date ? $0 : nil }
            }
        }

        /// The time before the expiration at which credentials are refreshed.
        private static let margin: TimeInterval = 300

        /// The pause after a refresh.
        private static let pause: TimeInterval = 20

        private let provider: any S3CredentialsProvider
        private let now: @Sendable () -> Date
        private let state = Mutex(State())

        init(_ provider: any S3CredentialsProvider, now: @escaping @Sendable () -> Date = { Date() }) {
            self.provider = provider
            self.now = now
        }

        deinit { state.withLock(\.refresh)?.cancel() }

        /// Returns valid credentials. Waits only if there are none.
        func credentials() async throws -> S3Credentials {
            let date = now()
            let valid = state.withLock { state -> S3Credentials? in
                guard let valid = state.valid(at: date) else { return nil }
                let isDue = valid.expiration.map { $0.timeIntervalSince(date) < Self.margin } ?? false
                if isDue, date >= state.nextRefresh { startRefresh(&state) }
                return valid
            }
            if let valid { return valid }
            return try await refreshed()
        }

        /// Forgets `credentials`, which the engine has rejected, so that the next call returns others.
        func discard(_ credentials: S3Credentials) {
            state.withLock { state in
                if state.current == credentials { state.current = nil }
            }
        }

        /// Waits for the refresh. A cancelled caller leaves at once, and the refresh continues for the others.
        private func refreshed() async throws -> S3Credentials {
            let id = state.withLock { state in
                state.lastID += 1
                return state.lastID
            }
            defer { state.withLock { _ = $0.cancelled.remove(id) } }
            return try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { wait(id, $0) }
            } onCancel: {
                leave(id)
            }
        }

        private func wait(_ id: Int, _ waiter: Waiter) {
            let date = now()
            let outcome = state.withLock { state -> Result<S3Credentials, any Error>? in
                if state.cancelled.contains(id) { return .failure(CancellationError()) }
                if let valid = state.valid(at: date) { return .success(valid) }
                state.waiters[id] = waiter
                startRefresh(&state)
                return nil
            }
            if let outcome { waiter.resume(with: outcome) }
            StateChanges.notify()
        }

        private func leave(_ id: Int) {
            let waiter = state.withLock { state in
                let waiter = state.waiters.removeValue(forKey: id)
                if waiter == nil { state.cancelled.insert(id) }
                return waiter
            }
            waiter?.resume(throwing: CancellationError())
        }

        private func startRefresh(_ state: inout State) {
            guard state.refresh == nil else { return }
            state.refresh = Task { [weak self, provider] in
                let outcome: Result<S3Credentials, any Error>
                do {
                    guard let credentials = try await provider.credentials() else { throw Self.missing }
                    outcome = .success(credentials)
                } catch let error as ImageError {
                    outcome = .failure(error)
                } catch {
                    outcome = .failure(
                        ImageError(.refused, .request, "the credentials cannot be loaded", underlying: error))
                }
                self?.finish(with: outcome)
            }
        }

        private func finish(with outcome: Result<S3Credentials, any Error>) {
            let waiters = state.withLock { state in
                if case .success(let credentials) = outcome { state.current = credentials }
                state.refresh = nil
                state.nextRefresh = now() + Self.pause
                defer { state.waiters = [:] }
                return state.waiters
            }
            for waiter in waiters.values { waiter.resume(with: outcome) }
            StateChanges.notify()
        }

        /// The number of callers that wait for a refresh.
        var waiterCount: Int { state.withLock(\.waiters.count) }

        /// Whether a refresh is in flight.
        var isRefreshing: Bool { state.withLock { $0.refresh != nil } }

        private static let missing = ImageError(
            .refused, .request, "there are no credentials; set them with S3Configuration.credentials")
    }
#endif
