import DarkroomCore
import Synchronization

/// Delivers events to the reader that joined last, through a channel of its own. Without a reader, events are dropped.
final class EventOutlet<Event: Sendable>: Sendable {
    typealias Channel = EventChannel<Event, Never>

    private let current = Mutex<Channel?>(nil)

    /// The channel of the current reader, unless its sequence has ended.
    var channel: Channel? { current.withLock { $0 } }

    /// Adds a reader and returns its channel. The sequence of the previous reader ends.
    func join() -> Channel {
        let channel = Channel()
        replaceChannel(by: channel)?.cancel()
        return channel
    }

    /// Ends the sequence that reads `channel`. Returns false if another reader has joined since, or it has ended
    /// before.
    func leave(_ channel: Channel) -> Bool {
        let isCurrent = current.withLock { current in
            let isCurrent = current === channel
            if isCurrent { current = nil }
            return isCurrent
        }
        channel.cancel()
        return isCurrent
    }

    /// Ends the sequence after the events sent so far.
    func finish() { replaceChannel(by: nil)?.finish() }

    /// Wakes the reader to check the state of its source again.
    func wake() { channel?.wake() }

    private func replaceChannel(by channel: Channel?) -> Channel? {
        current.withLock { current in
            defer { current = channel }
            return current
        }
    }
}

extension EventOutlet where Event: FlightEvent {
    /// Sends `event` to the current reader.
    func send(_ event: Event) { channel?.send(event) }
}
