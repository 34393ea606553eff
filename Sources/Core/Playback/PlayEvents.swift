/// What happens while an animation is played. Reading it is what plays it: there is no clock but the reader's.
///
/// Nothing moves while the reader is busy with an event, and no frame is passed over by that. Leaving the loop, or
/// cancelling its task, ends it within a tick. When somebody else begins to read, the one before comes to the end.
public struct PlayEvents<Event: Sendable>: AsyncSequence, Sendable {
    private let source: any Playable<Event>
    private let makeTicks: @Sendable () -> any Ticks

    init<C: Clock>(_ source: any Playable<Event>, _ clock: C, every interval: Duration) where C.Duration == Duration {
        self.source = source
        makeTicks = { ClockTicks(clock, every: interval) }
    }

    /// Begins to read.
    public func makeAsyncIterator() -> Iterator { Iterator(lease: ReaderLease(source), ticks: makeTicks()) }

    /// Moves the animation on until something happens. One task owns it.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let lease: ReaderLease<Event>
        fileprivate var ticks: any Ticks

        /// The next event; `nil` at the end, or when the task is cancelled.
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

        /// Waits for a tick, or for something to move. False when the task is cancelled, or the clock has failed.
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

/// What `PlayEvents` can read.
protocol Playable<Event>: AnyObject, Sendable {
    associatedtype Event: Sendable

    /// Where its events go.
    var relay: Relay<Event> { get }

    /// Whether time means anything to it now. A change is followed by `relay.wake()`.
    var isMoving: Bool { get }

    /// Lets `seconds` pass.
    func move(_ seconds: Double)

    /// Somebody begins to read.
    func readerCame()

    /// The last one who read has left.
    func readerLeft()
}

/// The right to read, given back when the last who holds it lets go.
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

    /// Whether nobody has begun to read since.
    var isCurrent: Bool { relay.isReader(reader) }

    func take() -> Relay<Event>.Found { relay.take(reader) }

    func wait() async { await relay.wait(reader) }

    func end() { if relay.leave(reader) { source.readerLeft() } }
}
