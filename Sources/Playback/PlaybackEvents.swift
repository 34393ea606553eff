import DarkroomCore

/// The sequence of playback events. Reading it drives the playback: no other clock does.
///
/// Playback stands still while the reader handles an event, and no frame is skipped because of that. Leaving the loop
/// or cancelling its task halts playback within a tick. When another reader starts, the sequence of the previous one
/// ends.
public struct PlaybackEvents<Event: Sendable>: AsyncSequence, Sendable {
    private let source: any PlaybackSource<Event>
    private let makeTicks: @Sendable () -> any Ticks

    init<C: Clock>(of source: any PlaybackSource<Event>, on clock: C, every interval: Duration)
    where C.Duration == Duration {
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
                switch lease.channel.poll() {
                case .event(let event): return event
                case .end: return nil
                case .empty: break
                }
            } while await advance()
            lease.end()
            return nil
        }

        /// Waits for the next tick, or for playback to resume. Returns false when the task is cancelled or the clock
        /// fails.
        private mutating func advance() async -> Bool {
            guard lease.source.isAdvancing else {
                ticks.restart()
                await lease.wait()
                return !Task.isCancelled
            }
            guard let time = try? await ticks.next() else { return false }
            if lease.isCurrent { lease.source.advance(by: time) }
            return true
        }
    }
}

/// A source of events that `PlaybackEvents` can drive.
protocol PlaybackSource<Event>: AnyObject, Sendable {
    associatedtype Event: Sendable

    /// The outlet that delivers its events.
    var outlet: EventOutlet<Event> { get }

    /// Whether time advances it at present. After a change, it calls `outlet.wake()`.
    var isAdvancing: Bool { get }

    /// Advances it by `time`.
    func advance(by time: Duration)

    /// Called when a reader has joined.
    func readerDidJoin()

    /// Called when the last reader has left.
    func readerDidLeave()
}

/// The registration of a reader, which ends when the last reference to it is released.
private final class ReaderLease<Event: Sendable>: Sendable {
    let source: any PlaybackSource<Event>
    let channel: EventOutlet<Event>.Channel
    private let outlet: EventOutlet<Event>

    init(_ source: any PlaybackSource<Event>) {
        self.source = source
        outlet = source.outlet
        channel = outlet.join()
        source.readerDidJoin()
    }

    deinit { end() }

    /// Whether no newer reader has joined and the sequence has not ended.
    var isCurrent: Bool { outlet.channel === channel }

    /// Waits until something has changed or the task is cancelled.
    func wait() async {
        await withTaskCancellationHandler {
            await channel.wait()
        } onCancel: {
            channel.wake()
        }
    }

    func end() { if outlet.leave(channel) { source.readerDidLeave() } }
}
