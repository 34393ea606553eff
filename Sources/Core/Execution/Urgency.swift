import Synchronization

/// A priority that may change while work is in progress.
///
/// With one in its context (``ImageContext/urgency``), a load follows its priority wherever it waits. The urgency of
/// work that several callers share is the highest priority among them, and changes as they join and leave.
public final class Urgency: Sendable {
    /// A callback for changes of the priority.
    package typealias Observer = @Sendable () -> Void

    private struct State {
        var priority: LoadPriority
        var observers: [Int: Observer] = [:]
        var lastID = 0
    }

    private static let constants = LoadPriority.allCases.map { Urgency($0, isConstant: true) }
    private static let idleWatch = Watch(of: nil, 0)

    private let state: Mutex<State>
    private let constant: LoadPriority?

    /// Creates an urgency that starts at `priority`.
    public convenience init(_ priority: LoadPriority = .normal) { self.init(priority, isConstant: false) }

    private init(_ priority: LoadPriority, isConstant: Bool) {
        state = Mutex(State(priority: priority))
        constant = isConstant ? priority : nil
    }

    /// Returns a shared urgency that never changes. Thousands of waiters can use it: neither it nor observing it costs
    /// anything.
    package static func constant(_ priority: LoadPriority) -> Urgency { constants[priority.rawValue] }

    /// The current priority. Assigning another one takes effect at once, for all work that waits with it; that of a
    /// context to which only ``ImageContext/priority`` was assigned never changes.
    public var priority: LoadPriority {
        get { constant ?? state.withLock(\.priority) }
        set { for observer in change(to: newValue) { observer() } }
    }

    /// This urgency if it can change; otherwise another one of the same priority.
    var adjustable: Urgency { constant.map { Urgency($0) } ?? self }

    /// Changes the priority and returns the observers to notify. A caller that holds a lock notifies them after
    /// releasing it.
    func change(to priority: LoadPriority) -> [Observer] {
        state.withLock { state in
            guard constant == nil, state.priority != priority else { return [] }
            state.priority = priority
            return Array(state.observers.values)
        }
    }

    /// Calls `observer` after each change, until the returned watch is deallocated.
    ///
    /// Notifications from two threads may arrive out of order, so they carry no value: an observer reads `priority`
    /// instead.
    package func watch(_ observer: @escaping Observer) -> Watch {
        guard constant == nil else { return Self.idleWatch }
        let id = state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = observer
            return state.lastID
        }
        return Watch(of: self, id)
    }

    /// The registration of an observer, which ends with this object.
    package final class Watch: Sendable {
        private let urgency: Urgency?
        private let id: Int

        fileprivate init(of urgency: Urgency?, _ id: Int) {
            self.urgency = urgency
            self.id = id
        }

        deinit {
            // The removed observer is released after the lock, because releasing its captures may run other code.
            _ = urgency?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }
}
