import NIOCore
import Synchronization

/// The connections of a server, and the decision which of them may stay.
///
/// A client that has as many connections as it may have loses the one that has been idle for the longest time when it
/// opens another, and so does the server as a whole, if that has been idle for a second. If there is none, a new connection
/// is part of a reserve: it can ask for the state of the server, and its other requests wait for room.
final class ConnectionRegistry: Sendable {
    /// The time after which another client may have the place of an idle connection. A request may be on its way over it.
    static let grace = TimeAmount.seconds(1)

    fileprivate struct State {
        var regular: [ObjectIdentifier: ConnectionPlace] = [:]
        var reserve: [ObjectIdentifier: ConnectionPlace] = [:]
        /// Those of the reserve with a request, in the order of arrival.
        var waiting: [ConnectionPlace] = []
    }

    private let count: Int
    private let countPerClient: Int?
    private let reserveCount: Int
    private let onClose: @Sendable () -> Void
    private let state = Mutex(State())
    private let waitingCount = Atomic(0)

    /// Creates a registry with the limits on the number of connections of `limits`. It calls `onClose` after each that is
    /// closed.
    init(_ limits: ConnectionLimits, onClose: @escaping @Sendable () -> Void = {}) {
        self.onClose = onClose
        count = limits.count
        countPerClient = limits.countPerClient
        reserveCount = limits.reserveCount
    }

    /// The number of connections, in the reserve and outside of it.
    var openCount: Int { state.withLock { $0.regular.count + $0.reserve.count } }

    /// Registers a connection with `owner`. Returns `false` if its client has too many, none of which is idle.
    func open(_ place: ConnectionPlace, owner: ConnectionPlace.Owner) -> Bool {
        place.owner = owner
        let (isAccepted, evicted) = state.withLock { state -> (Bool, [ConnectionPlace]) in
            var evicted: [ConnectionPlace] = []
            if let countPerClient, owner.client != .unknown {
                let others = state.all.filter { $0.client == owner.client }
                if others.count >= countPerClient {
                    guard let idle = others.longestIdle() else { return (false, []) }
                    evicted.append(state.removed(idle))
                }
            }
            if state.regular.count >= count, let idle = state.regular.longestIdle {
                evicted.append(state.removed(idle))
            }
            if state.regular.count < count {
                state.admit(place)
            } else {
                // A silent connection does not keep others out of the reserve.
                if state.reserve.count > reserveCount / 2, let idle = state.reserve.longestIdle {
                    evicted.append(state.removed(idle))
                }
                place.standing = .reserve
                state.reserve[ObjectIdentifier(place)] = place
            }
            return (true, evicted)
        }
        for place in evicted { place.owner?.leave() }
        return isAccepted
    }

    /// Registers a connection again that was to leave, but is not idle any more.
    func reopen(_ place: ConnectionPlace) { state.withLock { $0.admit(place) } }

    /// Decides on a request over a connection of the reserve: whether it may be made (`regular`), has to wait until
    /// `proceed` of its owner is called (`waiting`), or cannot (`outside`).
    func admit(_ place: ConnectionPlace) -> ConnectionPlace.Standing {
        let evicted = state.withLock { state -> ConnectionPlace? in
            guard place.standing == .reserve else { return nil }
            let idle = state.regular.count < count ? nil : state.regular.longestIdle
            if let idle { _ = state.removed(idle) }
            if state.regular.count < count {
                state.reserve[ObjectIdentifier(place)] = nil
                state.admit(place)
            } else if state.waiting.count < reserveCount / 2 {
                place.standing = .waiting
                state.waiting.append(place)
                waitingCount.store(state.waiting.count, ordering: .relaxed)
            }
            return idle
        }
        evicted?.owner?.leave()
        return place.standing == .reserve ? .outside : place.standing
    }

    /// Removes a connection that is closed.
    func close(_ place: ConnectionPlace) {
        state.withLock { _ = $0.removed(place) }
        makeRoom()
        onClose()
    }

    /// Notes that a connection has become idle: it makes room for one that waits.
    func didBecomeIdle() {
        if waitingCount.load(ordering: .relaxed) > 0 { makeRoom() }
    }

    /// Admits as many waiting connections as there is room for.
    func makeRoom() {
        let (admitted, evicted) = state.withLock { state -> ([ConnectionPlace], [ConnectionPlace]) in
            var (admitted, evicted): ([ConnectionPlace], [ConnectionPlace]) = ([], [])
            while let next = state.waiting.first {
                if state.regular.count >= count {
                    guard let idle = state.regular.longestIdle else { break }
                    evicted.append(state.removed(idle))
                }
                admitted.append(state.removed(next))
                state.admit(next)
            }
            waitingCount.store(state.waiting.count, ordering: .relaxed)
            return (admitted, evicted)
        }
        for place in evicted { place.owner?.leave() }
        for place in admitted { place.owner?.proceed() }
    }
}

extension ConnectionRegistry.State {
    fileprivate var all: [ConnectionPlace] { Array(regular.values) + Array(reserve.values) }

    fileprivate mutating func admit(_ place: ConnectionPlace) {
        place.standing = .regular
        regular[ObjectIdentifier(place)] = place
    }

    /// Returns `place`, after removing it.
    fileprivate mutating func removed(_ place: ConnectionPlace) -> ConnectionPlace {
        regular[ObjectIdentifier(place)] = nil
        reserve[ObjectIdentifier(place)] = nil
        if place.standing == .waiting { waiting.removeAll { $0 === place } }
        place.standing = .outside
        return place
    }
}

extension [ObjectIdentifier: ConnectionPlace] {
    /// The place that has been idle for the longest time, long enough for another client.
    fileprivate var longestIdle: ConnectionPlace? { Array(values).longestIdle(for: ConnectionRegistry.grace) }
}

extension [ConnectionPlace] {
    /// Returns the place that has been idle for the longest time, and for at least `grace`; `nil` if there is none.
    fileprivate func longestIdle(for grace: TimeAmount = .zero) -> ConnectionPlace? {
        let end = NIODeadline.now() - grace
        return compactMap { place in place.idleTime.map { (time: $0, place: place) } }
            .filter { $0.time <= end }.min { $0.time < $1.time }?.place
    }
}
