import Synchronization

/// Runs one task per key, however many callers ask for it.
///
/// Callers with equal keys share a run, which is as urgent as its most urgent caller. A cancelled caller leaves at once
/// while the others continue to wait. When the last one leaves, the run is cancelled and removed, so that it can
/// neither complete nor end a later run of the same key. No lock is held while callbacks run.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable, Event: FlightEvent>: Sendable {
    typealias Observer = @Sendable (Event) -> Void
    typealias Work = @Sendable (Run) async throws -> Value

    /// A run, as its work sees it.
    struct Run: Sendable {
        /// Set when the last caller has left.
        let cancellation: CancellationFlag
        /// The highest urgency among the callers. Pass it on to whatever the work waits for.
        let urgency: Urgency
        /// Emits an event to all observers. Callers that join later receive the events that no newer one has replaced.
        let emit: Observer
    }

    /// The value of a run, as one of its subscribers receives it.
    struct Outcome: Sendable {
        let value: Value
        /// Whether this subscriber started the run; the others joined it.
        let isLeader: Bool
    }

    /// A caller that waits for a run. It is a class to keep the frame of a waiting caller small.
    private final class Subscriber: Sendable {
        let id: Int
        let key: Key
        let observer: Observer?
        let urgency: Urgency
        let watch: Urgency.Watch

        init(id: Int, key: Key, observer: Observer?, urgency: Urgency, watch: Urgency.Watch) {
            self.id = id
            self.key = key
            self.observer = observer
            self.urgency = urgency
            self.watch = watch
        }
    }

    private struct Waiter {
        let continuation: CheckedContinuation<Outcome, any Error>
        let subscriber: Subscriber
        /// The priority with which it is counted in `counts`.
        var counted = LoadPriority.normal
    }

    private struct Flight {
        /// That of the subscriber that started the run.
        let id: Int
        let cancellation = CancellationFlag()
        let urgency: Urgency
        let task = RunTask()
        var waiters: [Int: Waiter] = [:]
        var counts = PriorityCounts()
        var events: [Event] = []

        mutating func add(_ waiter: Waiter, as id: Int) {
            var waiter = waiter
            waiter.counted = waiter.subscriber.urgency.priority
            counts.add(waiter.counted)
            waiters[id] = waiter
        }

        mutating func remove(_ id: Int) -> Waiter? {
            guard let waiter = waiters.removeValue(forKey: id) else { return nil }
            counts.remove(waiter.counted)
            return waiter
        }

        func abandon() {
            cancellation.set()
            task.cancel()
        }
    }

    /// The task of a run. It starts after the run is registered, and the run may have been abandoned by then.
    private final class RunTask: Sendable {
        private let state = Mutex<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

        func set(_ task: Task<Void, Never>) {
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
        /// The observers still to be notified of an urgency that has changed.
        var pendingObservers: [Urgency.Observer] = []

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }

        /// Returns the position of the run of `key`, if its identifier is `id`.
        func index(of key: Key, id: Int) -> Dictionary<Key, Flight>.Index? {
            flights.index(forKey: key).flatMap { flights.values[$0].id == id ? $0 : nil }
        }

        /// Adds a waiter to the run at `index`.
        mutating func add(_ waiter: Waiter, at index: Dictionary<Key, Flight>.Index) {
            flights.values[index].add(waiter, as: waiter.subscriber.id)
            updateUrgency(at: index)
        }

        /// Sets the urgency of the run at `index` to the highest among its callers.
        mutating func updateUrgency(at index: Dictionary<Key, Flight>.Index) {
            guard let highest = flights.values[index].counts.highest else { return }
            pendingObservers += flights.values[index].urgency.change(to: highest)
        }
    }

    private let state = Mutex(State())
    private let startsImmediately: Bool

    /// Creates an instance with no runs in flight.
    ///
    /// With `startsImmediately`, the work runs up to its first suspension on the thread of the caller that starts it.
    /// That is meant for callers that are runs themselves, never for a thread that must not be blocked.
    init(startsImmediately: Bool = false) { self.startsImmediately = startsImmediately }

    /// The number of runs in flight.
    var count: Int { state.withLock { $0.flights.count } }

    /// The number of callers so far that joined a run in flight.
    var joinedCount: Int { state.withLock { $0.joinedCount } }

    /// Returns the value of the run of `key`, which is started with `work` if there is none. `observer` receives its
    /// events.
    ///
    /// `urgency` is the caller's own, and may change while it waits.
    func value(
        for key: Key, urgency: Urgency = .constant(.normal), observer: Observer? = nil, work: @escaping Work
    ) async throws -> Value {
        try await outcome(for: key, urgency: urgency, observer: observer, work: work).value
    }

    /// Returns the value like `value(for:urgency:observer:work:)`, and whether this caller started the run.
    func outcome(
        for key: Key, urgency: Urgency = .constant(.normal), observer: Observer? = nil, work: @escaping Work
    ) async throws -> Outcome {
        let subscriber = makeSubscriber(of: key, urgency: urgency, observer: observer)
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation {
                join(Waiter(continuation: $0, subscriber: subscriber), work: work)
            }
        } onCancel: {
            leave(key, as: subscriber.id)
        }
    }

    /// Cancels every run. All callers receive an error of kind `cancelled`.
    func cancelAll() {
        let flights = state.withLock { state in
            defer { state.flights = [:] }
            return Array(state.flights.values)
        }
        for flight in flights { flight.abandon() }
        for waiter in flights.flatMap(\.waiters.values) { waiter.continuation.resume(throwing: ImageError.cancelled) }
    }

    @inline(never)
    private func makeSubscriber(of key: Key, urgency: Urgency, observer: Observer?) -> Subscriber {
        let id = state.withLock { $0.makeID() }
        let watch = urgency.watch { [weak self] in self?.recount(id, of: key) }
        return Subscriber(id: id, key: key, observer: observer, urgency: urgency, watch: watch)
    }

    @inline(never)
    private func join(_ waiter: Waiter, work: @escaping Work) {
        let key = waiter.subscriber.key
        // Made before the lock is taken; it serves if there is no run yet.
        let new = Flight(id: waiter.subscriber.id, urgency: Urgency(waiter.subscriber.urgency.priority))
        // The cancellation handler may have run before the waiter was added; the task is cancelled by then.
        let (joined, missed, begun) = update { state -> (Bool, [Event], Flight?) in
            guard !Task.isCancelled else { return (false, [], nil) }
            if let index = state.flights.index(forKey: key) {
                state.joinedCount += 1
                state.add(waiter, at: index)
                return (true, state.flights.values[index].events, nil)
            }
            state.flights[key] = new
            if let index = state.flights.index(forKey: key) { state.add(waiter, at: index) }
            return (true, [], new)
        }
        guard joined else { return waiter.continuation.resume(throwing: ImageError.cancelled) }
        if let observer = waiter.subscriber.observer { for event in missed { observer(event) } }
        if let begun { start(begun, of: key, work: work) } else { StateChanges.notify() }
    }

    private func start(_ flight: Flight, of key: Key, work: @escaping Work) {
        let id = flight.id
        let run = Run(cancellation: flight.cancellation, urgency: flight.urgency) { [self] event in
            emit(event, from: id, of: key)
        }
        let perform: @Sendable () async -> Void = { [self] in
            do {
                finish(key, id: id, with: .success(try await work(run)))
            } catch {
                finish(key, id: id, with: .failure(error))
            }
        }
        if startsImmediately, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            flight.task.set(.immediate { await perform() })
        } else {
            flight.task.set(Task { await perform() })
        }
    }

    private func emit(_ event: Event, from id: Int, of key: Key) {
        let observers = state.withLock { state -> [Observer] in
            guard let index = state.index(of: key, id: id) else { return [] }
            state.flights.values[index].events.coalesce(event)
            return state.flights.values[index].waiters.values.compactMap(\.subscriber.observer)
        }
        for observer in observers { observer(event) }
    }

    private func finish(_ key: Key, id: Int, with result: Result<Value, any Error>) {
        let ended = state.withLock { state -> Flight? in
            state.index(of: key, id: id).map { state.flights.remove(at: $0).value }
        }
        guard let ended else { return }
        for (id, waiter) in ended.waiters {
            waiter.continuation.resume(with: result.map { Outcome(value: $0, isLeader: id == ended.id) })
        }
    }

    @inline(never)
    private func leave(_ key: Key, as id: Int) {
        let (waiter, abandoned) = update { state -> (Waiter?, Flight?) in
            guard let index = state.flights.index(forKey: key), let waiter = state.flights.values[index].remove(id)
            else { return (nil, nil) }
            state.updateUrgency(at: index)
            let isAlone = state.flights.values[index].waiters.isEmpty
            return (waiter, isAlone ? state.flights.remove(at: index).value : nil)
        }
        abandoned?.abandon()
        waiter?.continuation.resume(throwing: ImageError.cancelled)
    }

    /// Updates the counts after the urgency of a caller has changed.
    private func recount(_ id: Int, of key: Key) {
        update { state in
            guard let index = state.flights.index(forKey: key), let waiter = state.flights.values[index].remove(id)
            else { return }
            state.add(waiter, at: index)
        }
    }

    /// Changes the state, and then notifies the observers of the urgencies that changed with it.
    private func update<Result: Sendable>(_ change: (inout State) -> Result) -> Result {
        let (result, pendingObservers) = state.withLock { state in
            let result = change(&state)
            defer { state.pendingObservers = [] }
            return (result, state.pendingObservers)
        }
        for observer in pendingObservers { observer() }
        return result
    }
}
