import Synchronization

/// Runs one task per key, however many callers ask for it.
///
/// Callers with equal keys share a run, which is as urgent as its most urgent caller. A cancelled caller leaves at once
/// while the others continue to wait. When the last one leaves, the run is cancelled and removed, so that it can
/// neither complete nor end a later run of the same key. No lock is held while callbacks run.
package final class SingleFlight<Key: Hashable & Sendable, Value: Sendable, Event: FlightEvent>: Sendable {
    package typealias Observer = @Sendable (Event) -> Void
    package typealias Work = @Sendable (Run) async throws -> Value

    /// A run, as its work sees it.
    package struct Run: Sendable {
        /// Set when the last caller has left.
        package let cancellation: CancellationFlag
        /// The highest urgency among the callers. Pass it on to whatever the work waits for.
        package let urgency: Urgency
        /// Emits an event to all observers. Callers that join later receive the events that no newer one has replaced.
        package let emit: Observer
    }

    /// The value of a run, as one of its subscribers receives it.
    struct Outcome: Sendable {
        let value: Value
        /// Whether this subscriber started the run; the others joined it.
        let isLeader: Bool
    }

    /// A caller that waits for a run. It is a class to keep the frame of a waiting caller small.
    // Sendable despite its variables: they are accessed under the lock of `state`, or after removal from its run.
    private final class Waiter: @unchecked Sendable {
        let id: Int
        let key: Key
        let observer: Observer?
        let urgency: Urgency
        let watch: Urgency.Watch
        /// Set when it joins the run.
        var continuation: CheckedContinuation<Outcome, any Error>?
        /// The priority with which it is counted in `counts`.
        var counted = LoadPriority.normal

        init(id: Int, key: Key, observer: Observer?, urgency: Urgency, watch: Urgency.Watch) {
            self.id = id
            self.key = key
            self.observer = observer
            self.urgency = urgency
            self.watch = watch
        }
    }

    /// A run, and the callers that wait for it.
    // Sendable despite its variables: they are accessed under the lock of `state`, or after removal from it.
    private final class Flight: @unchecked Sendable {
        /// That of the waiter that started the run.
        let id: Int
        let cancellation = CancellationFlag()
        let urgency: Urgency
        let task = RunTask()
        private(set) var waiters: [Int: Waiter] = [:]
        private var counts = PriorityCounts()
        private var knownObservers: [Observer]?
        var events: [Event] = []
        /// Set when it is no longer in `flights`.
        var hasEnded = false

        init(startedBy waiter: Waiter) {
            id = waiter.id
            urgency = Urgency(waiter.urgency.priority)
        }

        /// The observers of the waiters. They are collected once for all events until a waiter comes or goes.
        var observers: [Observer] {
            let observers = knownObservers ?? waiters.values.compactMap { $0.observer }
            knownObservers = observers
            return observers
        }

        /// Adds a waiter. Returns the observers to notify of the urgency that has changed with it.
        func add(_ waiter: Waiter) -> [Urgency.Observer] {
            waiter.counted = waiter.urgency.priority
            counts.add(waiter.counted)
            waiters[waiter.id] = waiter
            knownObservers = nil
            return updateUrgency()
        }

        func remove(_ id: Int) -> Waiter? {
            guard let waiter = waiters.removeValue(forKey: id) else { return nil }
            knownObservers = nil
            counts.remove(waiter.counted)
            return waiter
        }

        /// Sets the urgency to the highest among the waiters. Returns the observers to notify of that.
        func updateUrgency() -> [Urgency.Observer] { counts.highest.map { urgency.change(to: $0) } ?? [] }

        func abandon() {
            cancellation.set()
            task.cancel()
        }
    }

    /// The task of a run. It starts after the run is registered, and the run may have been abandoned by then.
    private final class RunTask: Sendable {
        private let state = Mutex<(task: Task<Void, any Error>?, isCancelled: Bool)>((nil, false))

        func set(_ task: Task<Void, any Error>) {
            let isCancelled = state.withLock { state in
                state.task = task
                return state.isCancelled
            }
            if isCancelled { task.cancel() }
        }

        func cancel() {
            let task = state.withLock { state in
                state.isCancelled = true
                return state.task
            }
            task?.cancel()
        }
    }

    private struct State {
        var flights: [Key: Flight] = [:]
        var lastID = 0
        var joinedCount = 0

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }

        /// Returns the run of `key`, which is `new` if there is none yet.
        mutating func flight(of key: Key, adding new: Flight) -> Flight {
            func value(_ flight: inout Flight) -> Flight { flight }
            return value(&flights[key, default: new])
        }

        /// Removes the run of `key`. Returns false if it has ended already.
        mutating func end(_ flight: Flight, of key: Key) -> Bool {
            guard !flight.hasEnded else { return false }
            flight.hasEnded = true
            flights[key] = nil
            return true
        }
    }

    /// A waiter that has joined a run.
    private struct Joining {
        var isNew = false
        /// The events emitted before, none of a new run.
        var missed: [Event] = []
        /// The observers to notify of the urgency that has changed.
        let observers: [Urgency.Observer]
    }

    private let state = Mutex(State())
    private let endsWithoutCallers: Bool

    /// Creates an instance with no runs in flight. Unless `endsWithoutCallers`, a run goes on when its last caller has
    /// left, and later callers join it.
    package init(endsWithoutCallers: Bool = true) { self.endsWithoutCallers = endsWithoutCallers }

    /// The number of runs in flight.
    package var count: Int { state.withLock { $0.flights.count } }

    /// The number of callers so far that joined a run in flight.
    package var joinedCount: Int { state.withLock { $0.joinedCount } }

    /// Returns the value of the run of `key`, which is started with `work` if there is none. `observer` receives its
    /// events.
    ///
    /// `urgency` is the caller's own, and may change while it waits. If no actor runs the caller, the work starts on its
    /// thread.
    package func value(
        for key: Key, urgency: Urgency = .constant(.normal), observer: Observer? = nil,
        isolation: (any Actor)? = #isolation, work: @escaping Work
    ) async throws -> Value {
        try await outcome(for: key, urgency: urgency, observer: observer, isolation: isolation, work: work).value
    }

    /// Returns the value like `value(for:urgency:observer:isolation:work:)`, and whether this caller started the run.
    func outcome(
        for key: Key, urgency: Urgency = .constant(.normal), observer: Observer? = nil,
        isolation: (any Actor)? = #isolation, work: @escaping Work
    ) async throws -> Outcome {
        let waiter = makeWaiter(for: key, urgency: urgency, observer: observer)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                join(waiter, with: continuation, isolation: isolation, work: work)
            }
        } onCancel: {
            leave(key, as: waiter.id)
        }
    }

    /// Cancels every run. All callers receive an error of kind `cancelled`.
    package func cancelAll() {
        let flights = state.withLock { state in
            defer { state.flights = [:] }
            for flight in state.flights.values { flight.hasEnded = true }
            return Array(state.flights.values)
        }
        for flight in flights { flight.abandon() }
        for waiter in flights.flatMap(\.waiters.values) { waiter.continuation?.resume(throwing: ImageError.cancelled) }
    }

    private func makeWaiter(for key: Key, urgency: Urgency, observer: Observer?) -> Waiter {
        let id = state.withLock { $0.makeID() }
        let watch = urgency.watch { [weak self] in self?.recount(id, of: key) }
        return Waiter(id: id, key: key, observer: observer, urgency: urgency, watch: watch)
    }

    private func join(
        _ waiter: Waiter, with continuation: CheckedContinuation<Outcome, any Error>, isolation: (any Actor)?,
        work: @escaping Work
    ) {
        // Made before the lock is taken; it serves if there is no run yet.
        let new = Flight(startedBy: waiter)
        let joining = state.withLock { state -> Joining? in
            // The cancellation handler may have run before the waiter was added; the task is cancelled by then.
            guard !Task.isCancelled else { return nil }
            waiter.continuation = continuation
            let flight = state.flight(of: waiter.key, adding: new)
            guard flight !== new else { return Joining(isNew: true, observers: new.add(waiter)) }
            state.joinedCount += 1
            return Joining(missed: flight.events, observers: flight.add(waiter))
        }
        guard let joining else { return continuation.resume(throwing: ImageError.cancelled) }
        for observer in joining.observers { observer() }
        if let observer = waiter.observer { for event in joining.missed { observer(event) } }
        if joining.isNew { start(new, of: waiter.key, isolation: isolation, work: work) } else { StateChanges.notify() }
    }

    private func start(_ flight: Flight, of key: Key, isolation: (any Actor)?, work: @escaping Work) {
        // Weak, because the context of a caller may retain the observer.
        let run = Run(cancellation: flight.cancellation, urgency: flight.urgency) { [self, weak flight] event in
            if let flight { emit(event, from: flight) }
        }
        let task = Task.starting(isolation: isolation) { [self] in
            do {
                finish(flight, of: key, with: .success(try await work(run)))
            } catch {
                finish(flight, of: key, with: .failure(error))
            }
        }
        flight.task.set(task)
    }

    private func emit(_ event: Event, from flight: Flight) {
        let observers = state.withLock { _ -> [Observer] in
            guard !flight.hasEnded else { return [] }
            flight.events.coalesce(event)
            return flight.observers
        }
        for observer in observers { observer(event) }
    }

    private func finish(_ flight: Flight, of key: Key, with result: Result<Value, any Error>) {
        guard state.withLock({ $0.end(flight, of: key) }) else { return }
        for (id, waiter) in flight.waiters {
            waiter.continuation?.resume(with: result.map { Outcome(value: $0, isLeader: id == flight.id) })
        }
    }

    private func leave(_ key: Key, as id: Int) {
        let (waiter, abandoned, observers) = state.withLock { state -> (Waiter?, Flight?, [Urgency.Observer]) in
            guard let flight = state.flights[key], let waiter = flight.remove(id) else { return (nil, nil, []) }
            guard flight.waiters.isEmpty, endsWithoutCallers else { return (waiter, nil, flight.updateUrgency()) }
            return (waiter, state.end(flight, of: key) ? flight : nil, [])
        }
        for observer in observers { observer() }
        abandoned?.abandon()
        waiter?.continuation?.resume(throwing: ImageError.cancelled)
    }

    /// Updates the counts after the urgency of a caller has changed.
    private func recount(_ id: Int, of key: Key) {
        let observers = state.withLock { state -> [Urgency.Observer] in
            guard let flight = state.flights[key], let waiter = flight.remove(id) else { return [] }
            return flight.add(waiter)
        }
        for observer in observers { observer() }
    }
}
