import Synchronization

/// Runs one task a key, however many ask for it.
///
/// Equal keys share a run. A caller that is cancelled leaves at once while the others go on; when the last one leaves,
/// the run is cancelled and forgotten, so that it can neither answer nor end a later run of its key.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable, Event: Sendable>: Sendable {
    typealias Observer = @Sendable (Event) -> Void
    typealias Work = @Sendable (Run) async throws -> Value

    /// What the work of a run sees of it.
    struct Run: Sendable {
        /// Set when the last caller has left.
        let cancellation: CancellationFlag
        /// Tells all who listen, and the newest event also to those who join later.
        let emit: Observer
    }

    private struct Waiter {
        let continuation: CheckedContinuation<Value, any Error>
        let observer: Observer?
    }

    private struct Flight {
        let id: Int
        let cancellation: CancellationFlag
        let task: Task<Void, Never>
        var waiters: [Int: Waiter] = [:]
        var newestEvent: Event?

        func abandon() {
            cancellation.set()
            task.cancel()
        }
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var lastID = 0

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }
    }

    private let state = Mutex(State())

    /// How many runs are under way.
    var count: Int { state.withLock { $0.flights.count } }

    /// The value of the run of `key`, started with `work` if there is none. `observer` hears its events.
    func value(for key: Key, observer: Observer? = nil, work: @escaping Work) async throws -> Value {
        let waiter = state.withLock { $0.makeID() }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                join(key, as: waiter, Waiter(continuation: continuation, observer: observer), work)
            }
        } onCancel: {
            leave(key, as: waiter)
        }
    }

    /// Cancels every run; all callers get an error of kind `cancelled`.
    func cancelAll() {
        let waiters = state.withLock { state in
            let flights = Array(state.flights.values)
            state.flights = [:]
            for flight in flights { flight.abandon() }
            return flights.flatMap { Array($0.waiters.values) }
        }
        for waiter in waiters { waiter.continuation.resume(throwing: ImageError.cancelled) }
    }

    private func join(_ key: Key, as id: Int, _ waiter: Waiter, _ work: @escaping Work) {
        // The handler may have run before there was anybody to remove; then the task is cancelled already.
        let (joined, missed) = state.withLock { state -> (Bool, Event?) in
            guard !Task.isCancelled else { return (false, nil) }
            if state.flights[key] == nil { state.flights[key] = start(key, id: state.makeID(), work) }
            state.flights[key]?.waiters[id] = waiter
            return (true, state.flights[key]?.newestEvent)
        }
        guard joined else { return waiter.continuation.resume(throwing: ImageError.cancelled) }
        if let missed { waiter.observer?(missed) }
    }

    private func start(_ key: Key, id: Int, _ work: @escaping Work) -> Flight {
        let cancellation = CancellationFlag()
        let run = Run(cancellation: cancellation) { [self] event in emit(event, from: id, of: key) }
        let task = Task { [self] in
            do {
                finish(key, id: id, .success(try await work(run)))
            } catch {
                finish(key, id: id, .failure(error))
            }
        }
        return Flight(id: id, cancellation: cancellation, task: task)
    }

    private func emit(_ event: Event, from id: Int, of key: Key) {
        let observers = state.withLock { state -> [Observer] in
            guard state.flights[key]?.id == id else { return [] }
            state.flights[key]?.newestEvent = event
            return state.flights[key]?.waiters.values.compactMap(\.observer) ?? []
        }
        for observer in observers { observer(event) }
    }

    private func finish(_ key: Key, id: Int, _ result: Result<Value, any Error>) {
        let waiters = state.withLock { state -> [Waiter] in
            guard let flight = state.flights[key], flight.id == id else { return [] }
            state.flights[key] = nil
            return Array(flight.waiters.values)
        }
        for waiter in waiters { waiter.continuation.resume(with: result) }
    }

    private func leave(_ key: Key, as id: Int) {
        let waiter = state.withLock { state -> Waiter? in
            let waiter = state.flights[key]?.waiters.removeValue(forKey: id)
            if waiter != nil, let flight = state.flights[key], flight.waiters.isEmpty {
                state.flights[key] = nil
                flight.abandon()
            }
            return waiter
        }
        waiter?.continuation.resume(throwing: ImageError.cancelled)
    }
}
