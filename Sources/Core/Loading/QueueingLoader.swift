/// A loader that runs a limited number of transfers at once. Its limits can be changed while it is in use; copies of the
/// loader share them.
public protocol QueueingLoader: ImageLoader {
    /// The queue of the transfers.
    var transfers: AdmissionQueue { get }
}

extension QueueingLoader {
    /// The maximum number of concurrent transfers, at least 1. Changes take effect immediately.
    public var transferLimit: Int {
        get { transfers.limit }
        nonmutating set { transfers.limit = newValue }
    }

    /// The maximum rate at which transfers start; `nil` for no limit. Changes take effect immediately.
    public var rateLimit: RateLimit? {
        get { transfers.rate }
        nonmutating set { transfers.rate = newValue }
    }

    /// The order in which waiting transfers of equal priority start. Changes take effect immediately.
    public var transferOrder: LoadOrder {
        get { transfers.order }
        nonmutating set { transfers.order = newValue }
    }

    /// Whether no new transfers start. Running transfers continue.
    public var isSuspended: Bool {
        get { transfers.isSuspended }
        nonmutating set { transfers.isSuspended = newValue }
    }

    /// The number of running and waiting transfers.
    public var transferCount: Int { waitingTransferCount + runningTransferCount }

    /// The number of waiting transfers.
    public var waitingTransferCount: Int { transfers.waitingCount }

    /// The number of running transfers. A transfer runs until the last chunk of its body has been read, or the response
    /// is released.
    public var runningTransferCount: Int { transfers.runningCount }

    /// Cancels all running and waiting transfers: their loads fail with an error of kind `cancelled`, which is neither
    /// remembered nor retried. Later loads are not affected.
    ///
    /// It affects all managers that use the loader or a copy of it. ``ImageManager/cancelAll()`` cancels the loads of
    /// one manager, whatever their loaders.
    public func cancelAll() { transfers.cancelAll() }
}
