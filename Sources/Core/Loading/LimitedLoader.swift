public import DarkroomPlatform

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
        return LimitedLoader(base: self, transfers: queue, group: group)
    }
}

/// A loader with a limited number of concurrent transfers. Copies share the limits.
public struct LimitedLoader<Base: ImageLoader>: LoaderWrapper, QueueingLoader {
    /// The loader whose transfers are limited.
    public let base: Base

    /// The queue of the transfers.
    public let transfers: AdmissionQueue

    fileprivate let group: @Sendable (URL) -> String?

    /// The maximum number of concurrent transfers of one group, at least 1; `nil` for no limit. Changes take effect
    /// immediately.
    public var transferLimitPerGroup: Int? {
        get { transfers.groupLimit }
        nonmutating set { transfers.groupLimit = newValue }
    }

    /// Returns the response of the base, once the transfer is admitted.
    ///
    /// The transfer counts as running until its body has been read to the end, or is deallocated.
    public func load(_ request: LoadRequest) async throws -> LoadResponse {
        let admission = try await transfers.admit(request.urgency, group: group(request.url))
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
        LimitedLoader<_>(base: base, transfers: transfers, group: group)
    }
}

/// The chunks of any loader. Reading them ends when the transfer is cancelled.
private struct AdmittedChunks: ChunkSource {
    private let reader: ChunkReader
    private let cancellation: JobCancellation

    init(_ chunks: any AsyncSequence<Data, any Error> & Sendable, until cancellation: JobCancellation) {
        reader = ChunkReader(chunks)
        self.cancellation = cancellation
    }

    func next() async throws -> Data? { try await cancellation.run { [reader] in try await reader.next() } }
}
