import Synchronization

/// A shared limit on the memory that images take: decodes in progress, the frames of players, and memory caches.
///
/// Work that needs much memory reserves it first and waits until there is room. Tenants hold memory that they can
/// release, and are asked to shrink before any work has to wait. Several managers may share one budget.
///
/// Waiters are admitted by urgency, and among equals in the order of arrival; after 15 others in a row, the oldest is
/// next (``LoadPriority``). A small request does not overtake the first waiter, so that a stream of small requests cannot
/// starve a large one. A request for more than the whole budget runs alone.
///
/// The memory of transformers is reserved while the decoded image stays so; one result at a time may exceed the budget.
///
/// Received bytes count, too, and large entries that are read from data caches. Transfers take at most half of the budget.
/// Beyond that they wait with their bytes unread, except for one, which always proceeds. Decoding of received bytes never
/// waits for bytes that have yet to arrive.
public final class MemoryBudget: Sendable {
    /// A holder of memory that can be released. Called on any thread; it must not call the budget from these members.
    public protocol Tenant: AnyObject, Sendable {
        /// The number of bytes currently held.
        var heldByteCount: Int { get }

        /// Releases `byteCount` bytes, or as many as possible.
        func shrink(by byteCount: Int)
    }

    /// Half of the memory that this process may use: the limit of its control groups, or the memory of the machine.
    public static let defaultByteLimit = SystemMemory().byteCount / 2

    private let state: Mutex<MemoryBudgetState>
    private let tenants = Mutex<[WeakTenant]>([])

    /// Creates a budget of `byteLimit` bytes. With 0 or less, every request runs alone.
    public init(byteLimit: Int = defaultByteLimit) { state = Mutex(MemoryBudgetState(byteLimit: byteLimit)) }

    /// The total number of bytes. Raising it admits waiters; lowering it revokes no reservation.
    public var byteLimit: Int {
        get { state.withLock { $0.byteLimit } }
        set {
            update { $0.byteLimit = newValue }
        }
    }

    /// The number of bytes reserved.
    public var reservedByteCount: Int { state.withLock { $0.reservedByteCount } }

    /// The number of bytes that tenants hold.
    public var heldByteCount: Int { livingTenants.reduce(0) { $0.adding($1.heldByteCount) } }

    /// The number of bytes neither reserved nor held by tenants; 0 while any request waits.
    public var availableByteCount: Int {
        let held = heldByteCount
        return state.withLock {
            $0.waitingCount > 0 ? 0 : max(0, max(0, $0.byteLimit) - $0.reservedByteCount.adding(held))
        }
    }

    /// The number of waiting requests.
    public var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// Counts the memory of `tenant` for as long as the tenant lives. Adding a tenant again has no effect.
    ///
    /// Tenants are asked to shrink in the order in which they were added.
    public func add(_ tenant: any Tenant) {
        tenants.withLock { tenants in
            tenants.removeAll { $0.tenant == nil }
            if !tenants.contains(where: { $0.tenant === tenant }) { tenants.append(WeakTenant(tenant: tenant)) }
        }
    }

    /// Waits until `byteCount` bytes are available and reserves them, until the reservation is released or deallocated.
    ///
    /// Cancelling the task leaves the line at once and throws an ``ImageError`` of kind `cancelled`. A caller that
    /// holds a reservation must not wait for a second one.
    public func reserve(_ byteCount: Int, priority: LoadPriority = .normal) async throws -> Reservation {
        try await reserve(byteCount, urgency: Urgency(priority))
    }

    /// Waits and reserves memory like ``reserve(_:priority:)``, for a caller whose place in line changes with
    /// `urgency`.
    public func reserve(_ byteCount: Int, urgency: Urgency) async throws -> Reservation {
        if Task.isCancelled { throw ImageError.cancelled }
        if let reservation = reserveNow(byteCount, priority: urgency.priority) { return reservation }
        let byteCount = max(0, byteCount)
        try await wait(in: .work, as: makeID(), for: byteCount, urgency: urgency)
        return Reservation(byteCount, for: .work, in: self)
    }

    /// Reserves `byteCount` bytes if they are available now, no waiter is at least as urgent, and it is not the turn of
    /// the oldest; otherwise returns `nil`.
    public func reserveNow(_ byteCount: Int, priority: LoadPriority = .normal) -> Reservation? {
        reserveNow(byteCount, for: .work, priority: priority)
    }

    /// Reserves memory for a preview, like `reserveNow(_:priority:)`. Work does not wait for previews, because their
    /// transfer may itself wait for memory while they hold theirs.
    func reserveNowForPreview(_ byteCount: Int, priority: LoadPriority) -> Reservation? {
        reserveNow(byteCount, for: .preview, priority: priority)
    }

    /// Reserves memory for making a result of an image for which the caller holds a reservation, like
    /// `reserveNow(_:priority:)`.
    func reserveNowForResult(_ byteCount: Int, priority: LoadPriority) -> Reservation? {
        reserveNow(byteCount, for: .result, priority: priority)
    }

    /// Waits and reserves memory for the same. The first in line does so, at the latest, once all other results are made.
    func reserveForResult(_ byteCount: Int, urgency: Urgency) async throws -> Reservation {
        if Task.isCancelled { throw ImageError.cancelled }
        if let reservation = reserveNowForResult(byteCount, priority: urgency.priority) { return reservation }
        try await wait(in: .results, as: makeID(), for: byteCount, urgency: urgency)
        return Reservation(byteCount, for: .result, in: self)
    }

    private func reserveNow(
        _ byteCount: Int, for purpose: MemoryBudgetState.Purpose, priority: LoadPriority
    ) -> Reservation? {
        let byteCount = max(0, byteCount)
        let queue = purpose == .result ? MemoryBudgetState.Queue.results : .work
        let isReserved = tryReserving { state, held, isLastTry in
            guard state[queue].mayBeOvertaken(by: priority) else { return .mustWait }
            let verdict = state.take(byteCount, for: purpose, held: held, isLastTry: isLastTry)
            if verdict == .reserved { state[queue].countOvertaking() }
            return verdict
        }
        return isReserved ? Reservation(byteCount, for: purpose, in: self) : nil
    }

    fileprivate func release(_ byteCount: Int, of purpose: MemoryBudgetState.Purpose) {
        update { $0.release(byteCount, of: purpose) }
    }

    func makeID() -> Int { state.withLock { $0.makeID() } }

    /// Changes the state, and then admits the waiters for which there is room.
    func update(_ change: (inout MemoryBudgetState) -> Void) {
        state.withLock { change(&$0) }
        while admitFirst(of: .results) {}
        while admitFirst(of: .work) {}
        while admitFirst(of: .transfers) {}
        StateChanges.notify()
    }

    /// Waits in line until `byteCount` bytes are reserved for the caller.
    func wait(
        in queue: MemoryBudgetState.Queue, as id: Int, for byteCount: Int, urgency: Urgency
    ) async throws {
        let watch = urgency.watch { [weak self] in
            self?.update { $0[queue].move(id, to: urgency.priority) }
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let waiter = MemoryBudgetState.Waiter(
                    byteCount: byteCount, continuation: continuation, urgency: urgency, watch: watch)
                enqueue(waiter, as: id, in: queue)
            }
        } onCancel: {
            var waiter: MemoryBudgetState.Waiter?
            update { waiter = $0[queue].leave(id) }
            waiter?.continuation.resume(throwing: ImageError.cancelled)
        }
    }

    private func enqueue(_ waiter: MemoryBudgetState.Waiter, as id: Int, in queue: MemoryBudgetState.Queue) {
        // The cancellation handler may have run before the waiter was added; the task is cancelled by then.
        let isEnqueued = state.withLock { state in
            state.enqueue(waiter, as: id, in: queue) { Task.isCancelled }
        }
        if isEnqueued { update { _ in } } else { waiter.continuation.resume(throwing: ImageError.cancelled) }
    }

    /// Admits the first waiter of `queue`, if there is room.
    private func admitFirst(of queue: MemoryBudgetState.Queue) -> Bool {
        var admitted: MemoryBudgetState.Waiter?
        let isReserved = tryReserving { state, held, isLastTry in
            guard let first = state[queue].first else { return .mustWait }
            let byteCount = first.waiter.byteCount
            let verdict =
                switch queue {
                case .work: state.take(byteCount, for: .work, held: held, isLastTry: isLastTry)
                case .results: state.take(byteCount, for: .result, held: held, isLastTry: isLastTry)
                case .transfers: state.grow(first.id, by: byteCount, held: held, isLastTry: isLastTry)
                }
            if verdict == .reserved { admitted = state[queue].next()?.waiter }
            return verdict
        }
        admitted?.continuation.resume()
        return isReserved
    }

    /// Returns whether `body` reserved memory. If its verdict depends on tenants, it is called once more after they
    /// were asked to shrink.
    func tryReserving(
        _ body: (_ state: inout MemoryBudgetState, _ held: Int, _ isLastTry: Bool) -> MemoryBudgetState.Verdict
    ) -> Bool {
        let held = heldByteCount
        let verdict = state.withLock { body(&$0, held, held == 0) }
        guard case .shortBy(let byteCount) = verdict else { return verdict == .reserved }
        shrinkTenants(by: byteCount)
        let heldNow = heldByteCount
        return state.withLock { body(&$0, heldNow, true) } == .reserved
    }

    private func shrinkTenants(by byteCount: Int) {
        var shortage = byteCount
        for tenant in livingTenants where shortage > 0 {
            let before = tenant.heldByteCount
            tenant.shrink(by: min(shortage, before))
            shortage -= max(0, before - tenant.heldByteCount)
        }
    }

    /// Makes the tenants release half of the memory that they hold, or everything that they can if `pressure` is critical.
    /// Caches are left out, because they respond themselves.
    func respond(to pressure: MemoryPressure) {
        guard pressure != .normal else { return }
        for tenant in livingTenants where !(tenant is any ImageCache) {
            let held = tenant.heldByteCount
            tenant.shrink(by: pressure == .critical ? held : held / 2)
        }
    }

    /// The tenants that still live. They are not collected in an array, because each load asks for them several times.
    private var livingTenants: some Sequence<any Tenant> { tenants.withLock { $0 }.lazy.compactMap(\.tenant) }

    private struct WeakTenant: Sendable {
        weak var tenant: (any Tenant)?
    }
}

extension MemoryBudget {
    /// A reservation of memory, valid until it is released or deallocated.
    public final class Reservation: Sendable {
        /// The number of bytes reserved.
        public let byteCount: Int

        private let budget: Mutex<MemoryBudget?>

        private let purpose: MemoryBudgetState.Purpose

        fileprivate init(_ byteCount: Int, for purpose: MemoryBudgetState.Purpose, in budget: MemoryBudget) {
            self.byteCount = byteCount
            self.purpose = purpose
            self.budget = Mutex(budget)
        }

        deinit { release() }

        /// Returns a reservation of `byteCount` of these bytes, after all others are released; `nil` if there are fewer.
        func shrunk(to byteCount: Int) -> Reservation? {
            guard let budget = budget.withLock({ $0.take() }) else { return nil }
            let kept = byteCount <= self.byteCount ? Reservation(byteCount, for: purpose, in: budget) : nil
            budget.release(self.byteCount - (kept?.byteCount ?? 0), of: purpose)
            return kept
        }

        /// Releases the bytes. Calling it again has no effect.
        public func release() { budget.withLock { $0.take() }?.release(byteCount, of: purpose) }
    }
}
