import Darkroom
import HTTPTypes
import Synchronization

/// Lets so many in at a time, has so many wait, and turns the others away at once: work that nobody will wait for any
/// more when its turn comes is worse than none.
public final class Admission: Sendable {
    /// How many are let in, and how many wait.
    public struct Limit: Hashable, Sendable {
        /// How many answers are made at a time. Decoding also waits for memory, so there may be more than cores.
        public var running = 16

        /// How many may wait.
        public var waiting = 256

        /// The defaults.
        public init() {}
    }

    private struct State {
        var runningCount = 0
        var nextTicket = 0
        var waiting: [(ticket: Int, continuation: CheckedContinuation<Bool, Never>)] = []
    }

    private let limit: Limit
    private let state = Mutex(State())

    /// A gate of `limit`.
    public init(_ limit: Limit) { self.limit = limit }

    /// How many are in, and how many wait.
    var counts: (running: Int, waiting: Int) { state.withLock { ($0.runningCount, $0.waiting.count) } }

    /// Runs `body` when it is let in.
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
                throw Problem(.tooManyRequests, "too many requests wait already", retryAfter: 2)
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
        if let answer { continuation.resume(returning: answer) }
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
