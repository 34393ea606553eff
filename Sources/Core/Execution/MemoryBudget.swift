import Synchronization

/// The memory that pictures may take, in one account: what is being decoded, the frames of players, and memory caches.
///
/// Whoever is about to take much reserves it first, and waits until there is room; tenants hold memory that they can give
/// back, and are asked to before anybody has to wait. Managers may share one.
///
/// The more urgent go first, and among equals who came first. Nobody passes by the one at the head, however little he wants,
/// so that a large request is not kept waiting by a stream of small ones. Who wants more than there is runs alone.
public final class MemoryBudget: Sendable {
    /// Holds memory that it can give back. Called on any thread, and must not call the budget meanwhile.
    public protocol Tenant: AnyObject, Sendable {
        /// How many bytes it holds now.
        var heldByteCount: Int { get }

        /// Gives back `byteCount` bytes, or as many as it can.
        func shrink(by byteCount: Int)
    }

    /// Half of the memory this process may use: what its control groups allow, or what the machine has.
    public static let defaultByteLimit = SystemMemory().byteCount / 2

    private let state: Mutex<MemoryBudgetState>
    private let tenants = Mutex<[WeakTenant]>([])

    /// A budget of `byteLimit` bytes. At 0 or less everybody runs alone.
    public init(byteLimit: Int = defaultByteLimit) { state = Mutex(MemoryBudgetState(byteLimit: byteLimit)) }

    /// How many bytes there are. A higher number lets in those who wait; a lower one takes nothing from anybody.
    public var byteLimit: Int {
        get { state.withLock { $0.byteLimit } }
        set {
            state.withLock { $0.byteLimit = newValue }
            admitWaiters()
        }
    }

    /// How many bytes are reserved.
    public var reservedByteCount: Int { state.withLock { $0.reservedByteCount } }

    /// How many bytes tenants hold.
    public var heldByteCount: Int { livingTenants.reduce(0) { $0.adding($1.heldByteCount) } }

    /// How many bytes nobody has; 0 while somebody waits.
    public var availableByteCount: Int {
        let held = heldByteCount
        return state.withLock { $0.waitingCount > 0 ? 0 : max(0, $0.byteLimit - $0.reservedByteCount.adding(held)) }
    }

    /// How many wait.
    public var waitingCount: Int { state.withLock { $0.waitingCount } }

    /// Counts what `tenant` holds for as long as it lives. A second time does nothing.
    ///
    /// Those added first are asked first.
    public func add(_ tenant: any Tenant) {
        tenants.withLock { tenants in
            tenants.removeAll { $0.tenant == nil }
            if !tenants.contains(where: { $0.tenant === tenant }) { tenants.append(WeakTenant(tenant: tenant)) }
        }
    }

    /// Returns when `byteCount` bytes are the caller's, until the reservation is released or forgotten.
    ///
    /// Cancelling the task leaves the line at once, with an `ImageError` of kind `cancelled`. Somebody who has a
    /// reservation must not wait for a second one.
    public func reserve(_ byteCount: Int, priority: LoadPriority = .normal) async throws -> Reservation {
        try await reserve(byteCount, urgency: Urgency(priority))
    }

    /// Like `reserve(_:priority:)`, for somebody whose place in line changes with `urgency`.
    public func reserve(_ byteCount: Int, urgency: Urgency) async throws -> Reservation {
        if Task.isCancelled { throw ImageError.cancelled }
        if let reservation = reserveNow(byteCount, priority: urgency.priority) { return reservation }
        let id = state.withLock { $0.makeID() }
        let watch = urgency.watch { [weak self] in self?.reconsider(id) }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                enqueue(
                    id,
                    MemoryBudgetState.Waiter(
                        byteCount: max(0, byteCount), continuation: continuation, urgency: urgency, watch: watch))
            }
        } onCancel: {
            state.withLock { $0.remove(id) }?.continuation.resume(throwing: ImageError.cancelled)
            admitWaiters()
        }
    }

    /// `byteCount` bytes if they can be had at once, and nobody as urgent waits; otherwise `nil`.
    public func reserveNow(_ byteCount: Int, priority: LoadPriority = .normal) -> Reservation? {
        let byteCount = max(0, byteCount)
        let isTaken = settle { state, held, isLast in
            state.hasWaiter(atLeast: priority) ? .mustWait : state.take(byteCount, held: held, isLast: isLast)
        }
        return isTaken ? Reservation(byteCount, of: self) : nil
    }

    fileprivate func release(_ byteCount: Int) {
        state.withLock { $0.reservedByteCount -= byteCount }
        admitWaiters()
    }

    private func reconsider(_ id: Int) {
        state.withLock { $0.move(id) }
        admitWaiters()
    }

    private func enqueue(_ id: Int, _ waiter: MemoryBudgetState.Waiter) {
        // The handler may have run before there was anybody to remove; then the task is cancelled already.
        let isCancelled = state.withLock { state in
            if !Task.isCancelled { state.append(waiter, id) }
            return Task.isCancelled
        }
        if isCancelled { waiter.continuation.resume(throwing: ImageError.cancelled) } else { admitWaiters() }
    }

    /// Lets in those at the head for whom there is room.
    private func admitWaiters() {
        while true {
            var admitted: MemoryBudgetState.Waiter?
            let isTaken = settle { state, held, isLast in
                guard let first = state.first else { return .mustWait }
                let verdict = state.take(first.byteCount, held: held, isLast: isLast)
                if verdict == .taken { admitted = state.removeFirst() }
                return verdict
            }
            guard isTaken, let admitted else { return }
            admitted.continuation.resume(returning: Reservation(admitted.byteCount, of: self))
        }
    }

    /// Asks `body` for its verdict, and when that depends on tenants, a last time after they were asked to shrink.
    private func settle(
        _ body: (_ state: inout MemoryBudgetState, _ held: Int, _ isLast: Bool) -> MemoryBudgetState.Verdict
    ) -> Bool {
        let held = heldByteCount
        let verdict = state.withLock { body(&$0, held, held == 0) }
        guard case .short(let byteCount) = verdict else { return verdict == .taken }
        shrinkTenants(by: byteCount)
        let heldNow = heldByteCount
        return state.withLock { body(&$0, heldNow, true) } == .taken
    }

    private func shrinkTenants(by byteCount: Int) {
        var shortage = byteCount
        for tenant in livingTenants where shortage > 0 {
            let before = tenant.heldByteCount
            tenant.shrink(by: min(shortage, before))
            shortage -= max(0, before - tenant.heldByteCount)
        }
    }

    private var livingTenants: [any Tenant] { tenants.withLock { $0.compactMap(\.tenant) } }

    private struct WeakTenant {
        weak var tenant: (any Tenant)?
    }
}

extension MemoryBudget {
    /// The right to so many bytes, until it is released or forgotten.
    public final class Reservation: Sendable {
        /// How many bytes.
        public let byteCount: Int

        private let budget: Mutex<MemoryBudget?>

        fileprivate init(_ byteCount: Int, of budget: MemoryBudget) {
            self.byteCount = byteCount
            self.budget = Mutex(budget)
        }

        deinit { release() }

        /// Gives the bytes back; a second time does nothing.
        public func release() { budget.withLock { $0.take() }?.release(byteCount) }
    }
}
