import Synchronization

/// Makes one of what many want: those who come while it is being made wait for the same.
///
/// Cancelling one leaves the others alone; when the last leaves, the work is cancelled.
final class Flights<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        let id: Int
        let task: Task<Value, any Error>
        var count: Int
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var nextID = 0
    }

    private let state = Mutex(State())

    /// How many are under way.
    var count: Int { state.withLock { $0.flights.count } }

    /// What `make` answers, for whom it is called first, and for all who ask for `key` meanwhile.
    func value(for key: Key, _ make: @escaping @Sendable () async throws -> Value) async throws -> Value {
        let (id, task) = join(key, make)
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            leave(key, id)
        }
    }

    /// Has `make` run for nobody in particular, unless it is under way.
    func start(_ key: Key, _ make: @escaping @Sendable () async throws -> Value) {
        guard state.withLock({ $0.flights[key] == nil }) else { return }
        _ = join(key, make)
    }

    /// Cancels all.
    func cancelAll() {
        let flights = state.withLock { state in
            defer { state.flights = [:] }
            return state.flights
        }
        for flight in flights.values { flight.task.cancel() }
    }

    private func join(_ key: Key, _ make: @escaping @Sendable () async throws -> Value) -> (Int, Task<Value, any Error>)
    {
        state.withLock { state in
            if state.flights[key] != nil {
                state.flights[key]?.count += 1
            } else {
                state.nextID += 1
                let id = state.nextID
                let task = Task {
                    defer { self.end(key, id) }
                    return try await make()
                }
                state.flights[key] = Flight(id: id, task: task, count: 1)
            }
            guard let flight = state.flights[key] else { preconditionFailure("a flight was just put there") }
            return (flight.id, flight.task)
        }
    }

    private func end(_ key: Key, _ id: Int) {
        state.withLock { if $0.flights[key]?.id == id { $0.flights[key] = nil } }
    }

    private func leave(_ key: Key, _ id: Int) {
        let abandoned = state.withLock { state -> Task<Value, any Error>? in
            guard var flight = state.flights[key], flight.id == id else { return nil }
            flight.count -= 1
            state.flights[key] = flight.count > 0 ? flight : nil
            return flight.count > 0 ? nil : flight.task
        }
        abandoned?.cancel()
    }
}
