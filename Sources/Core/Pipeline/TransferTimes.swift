import DarkroomPlatform
import Synchronization

/// The times when a request was sent and its response head received, from which the age of the response is computed.
///
/// They are exact if the loader reports its milestones; otherwise the time of the call counts.
final class TransferTimes: Sendable {
    private let now: @Sendable () -> Date
    private let times: Mutex<(sent: Date, received: Date?)>

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
        times = Mutex((now(), nil))
    }

    var sentAt: Date { times.withLock { $0.sent } }

    /// The time when the response head was received. The first access sets it, if the loader did not report it.
    var receivedAt: Date {
        times.withLock { times in
            let received = times.received ?? now()
            times.received = received
            return received
        }
    }

    func record(_ milestone: TransferMilestone) {
        switch milestone {
        case .started: times.withLock { $0 = (now(), nil) }
        case .responded: times.withLock { $0.received = now() }
        case .connected, .retries: break
        }
    }
}
