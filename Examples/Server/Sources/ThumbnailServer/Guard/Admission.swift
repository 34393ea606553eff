import Darkroom
import HTTPTypes
import Synchronization

/// Limits concurrent work: admits a number of tasks, queues some, and rejects the others at once. Rejecting is better
/// than starting work whose client has given up by the time its turn comes.
public final class Admission: Sendable {
    /// The limits on running and waiting tasks.
    public struct Limit: Hashable, Sendable {
        /// The maximum number of running tasks. Decoding also waits for memory, so it may exceed the number of cores.
        public var running = 16

        /// The maximum number of waiting tasks.
        public var waiting = 256

        /// Creates limits with the defaults above.
        public init() {}
    }

    private struct State {
        var runningCount = 0
        var nextTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let limit: Limit
    private let onWait: @Sendable () -> Void
    private let state = Mutex(State())

    /// Creates an admission control with `limit`.
    public convenience init(_ limit: Limit) { self.init(limit, onWait: {}) }

    /// Creates an admission control that calls `onWait` each time a request begins to wait, for tests.
    init(_ limit: Limit, onWait: @escaping @Sendable () -> Void) {
        self.limit = limit
        self.onWait = onWait
    }

    /// The number of running and of waiting tasks.
    var counts: (running: Int, waiting: Int) { state.withLock { ($0.runningCount, $0.waiting.count) } }

    /// Runs `body` once it is admitted.
    func run<Result>(_ body: () async throws -> Result) async throws -> Result {
        try await enter()
        defer { leave() }
        return try await body()
    }

    private func enter() async throws {
        let ticket = try state.withLock { state throws(Problem) -> Int? in
            if state.runningCount < limit.running {
                state.runningCount += 1
                return nil
            }
            guard state.waiting.count < limit.waiting else {
                throw Problem(.tooManyRequests, "too many requests are waiting", retryAfter: 2)
            }
            state.nextTicket += 1
            return state.nextTicket
        }
        guard let ticket else { return }
        let isIn = await withTaskCancellationHandler {
            await withCheckedContinuation { wait($0, ticket) }
        } onCancel: {
            giveUp(ticket)
        }
        guard isIn else { throw CancellationError() }
    }

    private func wait(_ continuation: CheckedContinuation<Bool, Never>, _ ticket: Int) {
        let answer: Bool? = state.withLock { state in
            if Task.isCancelled { return false }
            if state.runningCount < limit.running {
                state.runningCount += 1
                return true
            }
            state.waiting.append((ticket, continuation))
            return nil
        }
        if let answer { continuation.resume(returning: answer) } else { onWait() }
    }

    private func giveUp(_ ticket: Int) {
        let continuation = state.withLock { state in
            state.waiting.firstIndex { $0.ticket == ticket }.map { state.waiting.remove(at: $0).continuation }
        }
        continuation?.resume(returning: false)
    }

    private func leave() {
        let next = state.withLock { state -> CheckedContinuation<Bool, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().continuation }
            state.runningCount -= 1
            return nil
        }
        next?.resume(returning: true)
    }
}
