import NIOCore
import Synchronization

/// The place of a connection among those of its server.
final class ConnectionPlace: Sendable {
    /// The permissions of a connection.
    enum Standing: UInt8 {
        /// It is not part of the server yet, or any more.
        case outside
        /// It may only ask for the state of the server.
        case reserve
        /// It holds a request until another connection makes room.
        case waiting
        /// It may make any request.
        case regular
    }

    /// The reactions of a connection to a change of its standing, called on any thread.
    struct Owner: Sendable {
        let client: ClientNetwork
        /// Continues with the request that has waited.
        let proceed: @Sendable () -> Void
        /// Closes the connection, if it is still idle, and otherwise registers it again.
        let leave: @Sendable () -> Void
    }

    private let current = Atomic(Standing.outside.rawValue)
    private let idleStart = Atomic(UInt64.max)
    private let ownership = Mutex<Owner?>(nil)

    /// The standing, which only the registry changes.
    var standing: Standing {
        get { Standing(rawValue: current.load(ordering: .relaxed)) ?? .outside }
        set { current.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// The owner; `nil` before the connection is registered.
    var owner: Owner? {
        get { ownership.withLock { $0 } }
        set { ownership.withLock { $0 = newValue } }
    }

    /// The client; `nil` before the connection is registered, and once it is closed.
    var client: ClientNetwork? { ownership.withLock { $0?.client } }

    /// The time since which the connection waits for a request; `nil` while it has one, or a response to be read.
    var idleTime: NIODeadline? {
        get {
            let time = idleStart.load(ordering: .relaxed)
            return time == .max ? nil : .uptimeNanoseconds(time)
        }
        set { idleStart.store(newValue?.uptimeNanoseconds ?? .max, ordering: .relaxed) }
    }
}
