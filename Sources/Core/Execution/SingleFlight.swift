import Synchronization

/// Runs one task a key, however many ask for it.
///
/// Equal keys share a run, which is as urgent as the most urgent of its callers. A caller that is cancelled leaves at once
/// while the others go on; when the last one leaves, the run is cancelled and forgotten, so that it can neither answer nor
/// end a later run of its key. Nothing of others is called while a lock is held.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable, Event: FlightEvent>: Sendable {
    typealias Observer = @Sendable (Event) -> Void
    typealias Work = @Sendable (Run) async throws -> Value

    /// What the work of a run sees of it.
    struct Run: Sendable {
        /// Set when the last caller has left.
        let cancellation: CancellationFlag
        /// As urgent as the most urgent of the callers. Hand it on to what the work waits for.
        let urgency: Urgency
        /// Tells all who listen, and what nothing newer has replaced also to those who join later.
        let emit: Observer
    }

    /// The value of a run, as one of its subscribers gets it.
    struct Outcome: Sendable {
        let value: Value
        /// Whether this subscriber began the run; the others joined it.
        let isLeader: Bool
    }

    /// A caller that waits for a run. A class, which keeps the frame of a waiting caller small.
    private final class Subscriber: Sendable {
        let id: Int
        let key: Key
        let observer: Observer?
        let urgency: Urgency
        let watch: Urgency.Watch

        init(_ id: Int, _ key: Key, _ observer: Observer?, _ urgency: Urgency, _ watch: Urgency.Watch) {
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
        /// The priority that it counts with.
        var counted = LoadPriority.normal
    }

    private struct Flight {
        let id: Int
        /// The subscriber that began it.
        let leaderID: Int
        let cancellation = CancellationFlag()
        let urgency: Urgency
        let leader = Leader()
        var waiters: [Int: Waiter] = [:]
        var tally = PriorityTally()
        var events: [Event] = []

        mutating func add(_ waiter: Waiter, as id: Int) {
            var waiter = waiter
            waiter.counted = waiter.subscriber.urgency.priority
            tally.add(waiter.counted)
            waiters[id] = waiter
        }

        mutating func remove(_ id: Int) -> Waiter? {
            guard let waiter = waiters.removeValue(forKey: id) else { return nil }
            tally.remove(waiter.counted)
            return waiter
        }

        func abandon() {
            cancellation.set()
            leader.cancel()
        }
    }

    /// The task of a run, which starts when the run is known to all, and may have been abandoned by then.
    private final class Leader: Sendable {
        private let state = Mutex<(task: Task<Void, Never>?, isCancelled: Bool)>((nil, false))

        func take(_ task: Task<Void, Never>) {
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
        /// Who has yet to hear that an urgency changed.
        var untold: [Urgency.Observer] = []

        mutating func makeID() -> Int {
            lastID += 1
            return lastID
        }

        /// Makes the run of `key` as urgent as the most urgent of its callers.
        mutating func settle(_ key: Key) {
            guard let flight = flights[key], let highest = flight.tally.highest else { return }
            untold += flight.urgency.change(to: highest)
        }
    }

    private let state = Mutex(State())
    private let startsHere: Bool

    /// With `startsHere`, work goes up to its first suspension on the thread of the caller that begins it: for callers that
    /// are runs themselves, and on no thread that must not be held up.
    init(startsHere: Bool = false) { self.startsHere = startsHere }

    /// How many runs are under way.
    var count: Int { state.withLock { $0.flights.count } }

    /// The value of the run of `key`, started with `work` if there is none. `observer` hears its events.
    ///
    /// `urgency` is the caller's own, and may change while it waits.
    func value(
        for key: Key, urgency: Urgency = .constant(.normal), observer: Observer? = nil, work: @escaping Work
    ) async throws -> Value {
        try await outcome(for: key, urgency: urgency, observer: observer, work: work).value
    }

    /// Like `value(for:urgency:observer:work:)`, and whether this caller began the run.
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

    /// Cancels every run; all callers get an error of kind `cancelled`.
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
        return Subscriber(id, key, observer, urgency, urgency.watch { [weak self] in self?.recount(id, of: key) })
    }

    @inline(never)
    private func join(_ waiter: Waiter, work: @escaping Work) {
        let (key, id) = (waiter.subscriber.key, waiter.subscriber.id)
        // The handler may have run before there was anybody to remove; then the task is cancelled already.
        let (joined, missed, begun) = update { state -> (Bool, [Event], Flight?) in
            guard !Task.isCancelled else { return (false, [], nil) }
            var begun: Flight?
            if state.flights[key] == nil {
                begun = Flight(
                    id: state.makeID(), leaderID: id, urgency: Urgency(waiter.subscriber.urgency.priority))
                state.flights[key] = begun
            }
            state.flights[key]?.add(waiter, as: id)
            state.settle(key)
            return (true, state.flights[key]?.events ?? [], begun)
        }
        guard joined else { return waiter.continuation.resume(throwing: ImageError.cancelled) }
        if let observer = waiter.subscriber.observer { for event in missed { observer(event) } }
        if let begun { start(begun, key, work) }
    }

    private func start(_ flight: Flight, _ key: Key, _ work: @escaping Work) {
        let id = flight.id
        let run = Run(cancellation: flight.cancellation, urgency: flight.urgency) { [self] event in
            emit(event, from: id, of: key)
        }
        if startsHere, #available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *) {
            flight.leader.take(.immediate { [self] in await perform(work, run, key, id) })
        } else {
            flight.leader.take(Task { [self] in await perform(work, run, key, id) })
        }
    }

    private func perform(_ work: Work, _ run: Run, _ key: Key, _ id: Int) async {
        do {
            finish(key, id: id, .success(try await work(run)))
        } catch {
            finish(key, id: id, .failure(error))
        }
    }

    private func emit(_ event: Event, from id: Int, of key: Key) {
        let observers = state.withLock { state -> [Observer] in
            guard state.flights[key]?.id == id else { return [] }
            state.flights[key]?.events.note(event)
            return state.flights[key]?.waiters.values.compactMap(\.subscriber.observer) ?? []
        }
        for observer in observers { observer(event) }
    }

    private func finish(_ key: Key, id: Int, _ result: Result<Value, any Error>) {
        let ended = state.withLock { state -> Flight? in
            guard state.flights[key]?.id == id else { return nil }
            return state.flights.removeValue(forKey: key)
        }
        guard let ended else { return }
        for (id, waiter) in ended.waiters {
            waiter.continuation.resume(with: result.map { Outcome(value: $0, isLeader: id == ended.leaderID) })
        }
    }

    @inline(never)
    private func leave(_ key: Key, as id: Int) {
        let (waiter, abandoned) = update { state -> (Waiter?, Flight?) in
            guard let waiter = state.flights[key]?.remove(id) else { return (nil, nil) }
            state.settle(key)
            let isAlone = state.flights[key]?.waiters.isEmpty == true
            return (waiter, isAlone ? state.flights.removeValue(forKey: key) : nil)
        }
        abandoned?.abandon()
        waiter?.continuation.resume(throwing: ImageError.cancelled)
    }

    /// Counts a caller anew whose urgency has changed.
    private func recount(_ id: Int, of key: Key) {
        update { state in
            guard let waiter = state.flights[key]?.remove(id) else { return }
            state.flights[key]?.add(waiter, as: id)
            state.settle(key)
        }
    }

    /// Changes the state, and then tells of urgencies that have changed with it.
    private func update<Answer: Sendable>(_ change: (inout State) -> Answer) -> Answer {
        let (answer, untold) = state.withLock { state in
            let answer = change(&state)
            defer { state.untold = [] }
            return (answer, state.untold)
        }
        for observer in untold { observer() }
        return answer
    }
}
