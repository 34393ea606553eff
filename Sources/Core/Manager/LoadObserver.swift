#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Hears of all loads of a manager, for logs, metrics and traces. It is called from any thread, and must not wait.
public protocol LoadObserver: ImagePlugin {
    /// A load ended. It is called in the caller's task, before the caller has the answer.
    func loadEnded(_ record: LoadRecord)

    /// A cache could not do what it was asked; the load goes on without it.
    func cacheFailed(_ error: any Error, reading: Bool, key: CacheKey)
}

extension LoadObserver {
    /// The default hears nothing.
    public func cacheFailed(_ error: any Error, reading: Bool, key: CacheKey) {}

    /// Adds the observer.
    public func install(in components: inout ImageManager.Components) { components.observers.append(self) }
}

/// One load, from the call to the answer.
public struct LoadRecord: Sendable {
    /// What was asked for.
    public let url: URL

    /// How it was wanted.
    public let context: ImageContext

    /// When the load was called.
    public let start: ContinuousClock.Instant

    /// How long the caller waited.
    public let duration: Duration

    /// The answer.
    public let result: Result<LoadResult, ImageError>

    /// A record of these, as the manager makes it.
    public init(
        url: URL, context: ImageContext, start: ContinuousClock.Instant, duration: Duration,
        result: Result<LoadResult, ImageError>
    ) {
        self.url = url
        self.context = context
        self.start = start
        self.duration = duration
        self.result = result
    }
}
