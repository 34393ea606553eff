import Synchronization

/// How urgent a piece of work is at this moment: as urgent as the most urgent of those who wait for it.
///
/// It changes while the work goes on, as callers join and leave.
public final class Urgency: Sendable {
    /// Hears that the priority has changed.
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

    /// The urgency of work that begins with `priority`.
    public convenience init(_ priority: LoadPriority = .normal) { self.init(priority, isConstant: false) }

    private init(_ priority: LoadPriority, isConstant: Bool) {
        state = Mutex(State(priority: priority))
        constant = isConstant ? priority : nil
    }

    /// One that never changes. Thousands may wait with it: it costs nothing, and neither does watching it.
    package static func constant(_ priority: LoadPriority) -> Urgency { constants[priority.rawValue] }

    /// The priority now.
    public var priority: LoadPriority { constant ?? state.withLock(\.priority) }

    /// Changes the priority, unless it is constant, and tells all who watch.
    package func set(_ priority: LoadPriority) {
        for observer in change(to: priority) { observer() }
    }

    /// Changes the priority, and answers whom to tell of it. For callers that hold a lock: tell when it is free again.
    func change(to priority: LoadPriority) -> [Observer] {
        state.withLock { state in
            guard constant == nil, state.priority != priority else { return [] }
            state.priority = priority
            return Array(state.observers.values)
        }
    }

    /// Calls `observer` after each change, until the answer is forgotten.
    ///
    /// Calls of two threads may overtake each other, so they bring no value: who hears one looks at `priority`.
    package func watch(_ observer: @escaping Observer) -> Watch {
        guard constant == nil else { return Self.idleWatch }
        let id = state.withLock { state in
            state.lastID += 1
            state.observers[state.lastID] = observer
            return state.lastID
        }
        return Watch(of: self, id)
    }

    /// Keeps an observer listening.
    package final class Watch: Sendable {
        private let urgency: Urgency?
        private let id: Int

        fileprivate init(of urgency: Urgency?, _ id: Int) {
            self.urgency = urgency
            self.id = id
        }

        deinit {
            // What the observer holds is let go when the lock is free again.
            _ = urgency?.state.withLock { $0.observers.removeValue(forKey: id) }
        }
    }
}
