#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ImageLoader {
    /// Returns a loader that runs a limited number of transfers at once. The others wait in order of urgency.
    ///
    /// It is meant for loaders without such limits. `perGroup` also limits the transfers of one group, which is the
    /// host of the URL by default; a transfer without a group is not counted. `rate` limits how often transfers start.
    public func limited(
        to transferLimit: Int = 6, perGroup: Int? = nil, rate: RateLimit? = nil,
        order: LoadOrder = .firstInFirstOut,
        group: @escaping @Sendable (URL) -> String? = { $0.host?.lowercased() }
    ) -> LimitedLoader<Self> {
        let queue = AdmissionQueue(limit: transferLimit, order: order)
        queue.groupLimit = perGroup
        queue.rate = rate
        return LimitedLoader(base: self, queue: queue, group: group)
    }
}

/// A loader with a limited number of concurrent transfers. Copies share the limits.
public struct LimitedLoader<Base: ImageLoader>: LoaderWrapper {
    /// The loader whose transfers are limited.
    public let base: Base

    fileprivate let queue: AdmissionQueue
    fileprivate let group: @Sendable (URL) -> String?

    /// The maximum number of concurrent transfers, at least 1. Changes take effect immediately.
    public var transferLimit: Int {
        get { queue.limit }
        nonmutating set { queue.limit = newValue }
    }

    /// The maximum number of concurrent transfers of one group, at least 1; `nil` for no limit. Changes take effect
    /// immediately.
    public var transferLimitPerGroup: Int? {
        get { queue.groupLimit }
        nonmutating set { queue.groupLimit = newValue }
    }

    /// The maximum rate at which transfers start; `nil` for no limit. Changes take effect immediately.
    public var rate: RateLimit? {
        get { queue.rate }
        nonmutating set { queue.rate = newValue }
    }

    /// The order among waiting transfers of equal priority. Changes take effect immediately.
    public var transferOrder: LoadOrder {
        get { queue.order }
        nonmutating set { queue.order = newValue }
    }

    /// Whether new transfers are suspended. Those in flight continue.
    public var isSuspended: Bool {
        get { queue.isSuspended }
        nonmutating set { queue.isSuspended = newValue }
    }

    /// The number of transfers that run or wait.
    public var transferCount: Int { waitingTransferCount + runningTransferCount }

    /// The number of transfers that wait.
    public var waitingTransferCount: Int { queue.waitingCount }

    /// The number of transfers that run.
    public var runningTransferCount: Int { queue.runningCount }

    /// Cancels all transfers that run or wait: their loads fail with an error of kind `cancelled`. Later loads are not
    /// affected.
    public func cancelAll() { queue.cancelAll() }

    /// Returns the response of the base, once the transfer is admitted.
    ///
    /// The transfer counts as running until its body has been read to the end, or is deallocated.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        let admission = try await queue.admit(request.urgency, group: group(request.url))
        request.report(.started)
        var response = try await admission.cancellation.run { [base] in try await base.load(request) }
        if case .chunks(let chunks) = response.body {
            response.body = .chunks(
                TransferBody(AdmittedChunks(chunks, until: admission.cancellation), admission: admission))
        }
        return response
    }

    /// Returns a loader with the same limits, shared with this one.
    public func rewrapped(around base: some ImageLoader) -> (any ImageLoader)? {
        LimitedLoader<_>(base: base, queue: queue, group: group)
    }
}
