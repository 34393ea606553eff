/// The sequence of playback events. Reading it drives the playback: no other clock does.
///
/// Playback stands still while the reader handles an event, and no frame is skipped because of that. Leaving the loop
/// or cancelling its task halts playback within a tick. When another reader starts, the sequence of the previous one
/// ends.
public struct PlayEvents<Event: Sendable>: AsyncSequence, Sendable {
    private let source: any Playable<Event>
    private let makeTicks: @Sendable () -> any Ticks

    init<C: Clock>(_ source: any Playable<Event>, _ clock: C, every interval: Duration) where C.Duration == Duration {
        self.source = source
        makeTicks = { ClockTicks(clock, every: interval) }
    }

    /// Starts a new reader.
    public func makeAsyncIterator() -> Iterator { Iterator(lease: ReaderLease(source), ticks: makeTicks()) }

    /// Advances the animation until the next event. It must be used by one task only.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let lease: ReaderLease<Event>
        fileprivate var ticks: any Ticks

        /// Returns the next event; `nil` at the end, or when the task is cancelled.
        public mutating func next() async -> Event? {
            repeat {
                switch lease.take() {
                case .event(let event): return event
                case .end: return nil
                case .nothing: break
                }
            } while await move()
            lease.end()
            return nil
        }

        /// Waits for the next tick, or for playback to resume. Returns false when the task is cancelled or the clock
        /// fails.
        private mutating func move() async -> Bool {
            guard lease.source.isMoving else {
                ticks.restart()
                await lease.wait()
                return !Task.isCancelled
            }
            guard let seconds = try? await ticks.next() else { return false }
            if lease.isCurrent { lease.source.move(seconds) }
            return true
        }
    }
}

/// A source of events that `PlayEvents` can drive.
protocol Playable<Event>: AnyObject, Sendable {
    associatedtype Event: Sendable

    /// The channel that delivers its events.
    var relay: Relay<Event> { get }

    /// Whether time advances it at present. After a change, it calls `relay.wake()`.
    var isMoving: Bool { get }

    /// Advances it by `seconds`.
    func move(_ seconds: Double)

    /// Called when a reader starts.
    func readerCame()

    /// Called when the last reader has left.
    func readerLeft()
}

/// The registration of a reader, which ends when the last reference to it is released.
private final class ReaderLease<Event: Sendable>: Sendable {
    let source: any Playable<Event>
    private let relay: Relay<Event>
    private let reader: Int

    init(_ source: any Playable<Event>) {
        self.source = source
        relay = source.relay
        reader = relay.join()
        source.readerCame()
    }

    deinit { end() }

    /// Whether no newer reader has started.
    var isCurrent: Bool { relay.isReader(reader) }

    func take() -> Relay<Event>.Found { relay.take(reader) }

    func wait() async { await relay.wait(reader) }

    func end() { if relay.leave(reader) { source.readerLeft() } }
}
