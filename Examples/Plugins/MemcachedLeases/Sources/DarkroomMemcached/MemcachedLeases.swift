import Crypto
public import DarkroomCore
import Foundation

/// Leases of work in memcached, which nodes of a fleet share.
///
/// memcached notifies nobody, so nodes that wait ask again at short intervals.
public struct MemcachedLeases: WorkLeases {
    /// The time after which a lease that is not renewed expires, give or take a second: memcached counts whole seconds.
    public let life: Duration

    private let server: MemcachedServer
    private let timeout: Duration
    private let pollInterval: Duration
    private let prefix: String

    /// Creates leases in the memcached at this address, version 1.6 or later.
    ///
    /// - Parameters:
    ///   - life: The life of a lease in whole seconds, at least 1.
    ///   - timeout: The time that a request for a lease may take, at most, even if its budget is larger.
    ///   - pollInterval: The time between the questions of a node that waits.
    ///   - prefix: The text that begins all keys, of up to 100 ASCII letters and punctuation.
    public init(
        host: String, port: UInt16 = 11_211, life: Duration = .seconds(2), timeout: Duration = .milliseconds(250),
        pollInterval: Duration = .milliseconds(20), prefix: String = "darkroom:"
    ) {
        self.life = .seconds(max(life.components.seconds, 1))
        (self.timeout, self.pollInterval, self.prefix) = (timeout, pollInterval, prefix)
        server = MemcachedServer(host: host, port: port)
    }

    /// Asks for the lease of `work`, for at most the timeout and the time that is left in `budget`.
    public func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
        let end = ContinuousClock.now + min(timeout, budget.remaining)
        let key = "\(prefix)lease:\(work.digest)"
        return await budget.result { try await answer(key, by: end) } ?? .unknown
    }

    private func answer(_ key: String, by end: ContinuousClock.Instant) async throws -> LeaseAnswer {
        let lease = MemcachedLease(
            server: server, key: key, token: "\(prefix)end:\(UInt64.random(in: 0...UInt64.max))", life: life)
        while true {
            if try await lease.take(by: end) { return .granted(lease) }
            // Without a holder, the lease has ended in between.
            guard let holder = try await server.value(of: key, by: end) else { continue }
            return .held(PolledLease(server: server, token: holder.text, interval: pollInterval, timeout: timeout))
        }
    }
}

extension WorkName {
    /// The digest of the kind and of both parts of the key, each preceded by its length.
    fileprivate var digest: String {
        var hash = SHA256()
        for part in [kind.rawValue, key.source] + key.variant {
            hash.update(data: Data("\(part.utf8.count):\(part)".utf8))
        }
        return hash.finalize().map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
