public import DarkroomPlatform

/// An observer of all loads of a manager, for logs, metrics and traces. It is called on any thread and must not block.
public protocol LoadObserver: ImagePlugin {
    /// Called when a load has ended, in the caller's task, before the caller receives the result.
    func loadEnded(_ record: LoadRecord)

    /// Called when a cache has failed to read or write an entry. The load continues without it.
    func cacheFailed(_ error: any Error, isRead: Bool, key: CacheKey)
}

extension LoadObserver {
    /// Does nothing by default.
    public func cacheFailed(_ error: any Error, isRead: Bool, key: CacheKey) {}

    /// Adds the observer.
    public func install(in components: inout ImageManager.Components) { components.observers.append(self) }
}

/// The record of one load, from call to result.
public struct LoadRecord: Sendable {
    /// The URL requested.
    public let url: URL

    /// The options of the request.
    public let context: ImageContext

    /// The time of the call.
    public let start: ContinuousClock.Instant

    /// The time that the caller waited.
    public let duration: Duration

    /// The result that the caller received.
    public let result: Result<LoadResult, ImageError>

    /// Creates a record of a load that took place during `interval`.
    public init(
        url: URL, context: ImageContext, interval: Range<ContinuousClock.Instant>,
        result: Result<LoadResult, ImageError>
    ) {
        self.url = url
        self.context = context
        start = interval.lowerBound
        duration = interval.upperBound - interval.lowerBound
        self.result = result
    }
}
