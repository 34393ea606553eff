import Synchronization

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// When a request was sent, and when the head of its response was there: what the age of a response is counted from.
///
/// A loader that tells its milestones makes the times exact; of others it is the call that counts.
final class TransferTimes: Sendable {
    private let now: @Sendable () -> Date
    private let times: Mutex<(sent: Date, received: Date?)>

    init(now: @escaping @Sendable () -> Date) {
        self.now = now
        times = Mutex((now(), nil))
    }

    var sentAt: Date { times.withLock { $0.sent } }

    /// Asked for the first time when the loader has answered.
    var receivedAt: Date {
        times.withLock { times in
            let received = times.received ?? now()
            times.received = received
            return received
        }
    }

    func note(_ milestone: TransferMilestone) {
        switch milestone {
        case .started: times.withLock { $0 = (now(), nil) }
        case .responded: times.withLock { $0.received = now() }
        case .connected, .retries: break
        }
    }
}
