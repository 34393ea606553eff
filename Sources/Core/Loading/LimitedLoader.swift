#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ImageLoader {
    /// A loader of which a bounded number of transfers run at once; the others wait, the more urgent first.
    ///
    /// For loaders that have no such bounds of their own. `perGroup` bounds those of one group besides, which is the host of
    /// the URL unless `group` says otherwise; who has no group is not counted. `rate` bounds how many start in a time.
    public func limited(
        to maxConcurrentTransfers: Int = 6, perGroup: Int? = nil, rate: RateLimit? = nil,
        order: LoadOrder = .firstInFirstOut,
        group: @escaping @Sendable (URL) -> String? = { $0.host?.lowercased() }
    ) -> LimitedLoader<Self> {
        let queue = AdmissionQueue(limit: maxConcurrentTransfers, order: order)
        queue.groupLimit = perGroup
        queue.rate = rate
        return LimitedLoader(base: self, queue: queue, group: group)
    }
}

/// A loader whose transfers wait for each other. Copies share their places.
public struct LimitedLoader<Base: ImageLoader>: LoaderWrapper {
    /// The loader whose transfers wait.
    public let base: Base

    fileprivate let queue: AdmissionQueue
    fileprivate let group: @Sendable (URL) -> String?

    /// How many transfers run at once, at least 1; changes count at once, too.
    public var maxConcurrentTransfers: Int {
        get { queue.limit }
        nonmutating set { queue.limit = newValue }
    }

    /// How many transfers of one group run at once, at least 1; changes count at once. `nil` for no such bound.
    public var maxConcurrentTransfersPerGroup: Int? {
        get { queue.groupLimit }
        nonmutating set { queue.groupLimit = newValue }
    }

    /// How many transfers start in a time; changes count at once. `nil` for no such bound.
    public var rate: RateLimit? {
        get { queue.rate }
        nonmutating set { queue.rate = newValue }
    }

    /// Which of the transfers that wait with one priority comes first; changes count at once.
    public var transferOrder: LoadOrder {
        get { queue.order }
        nonmutating set { queue.order = newValue }
    }

    /// Whether no transfer starts; those that run go on.
    public var isSuspended: Bool {
        get { queue.isSuspended }
        nonmutating set { queue.isSuspended = newValue }
    }

    /// How many transfers run or wait for their turn.
    public var transferCount: Int { waitingTransferCount + runningTransferCount }

    /// How many transfers wait for their turn.
    public var waitingTransferCount: Int { queue.waitingCount }

    /// How many transfers run.
    public var runningTransferCount: Int { queue.runningCount }

    /// What the base answers, once it is the transfer's turn.
    ///
    /// It counts as running until its body was read to the end, or is forgotten.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        let admission = try await queue.admit(request.urgency, group: group(request.url))
        request.report(.started)
        var response = try await base.load(request)
        if case .chunks(let chunks) = response.body { response.body = .chunks(AdmittedBody(chunks, admission)) }
        return response
    }
}
