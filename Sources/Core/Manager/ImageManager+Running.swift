public import DarkroomPlatform

// The work in flight, and the URLs that failed.
extension ImageManager {
    /// Cancels all loads, those of several contexts included. Their callers receive an error of kind `cancelled`.
    public func cancelAll() { pipeline.cancelAll() }

    /// Whether any loads are in flight. A load counts from the moment at which its call returned or suspended.
    public var isRunning: Bool { pipeline.isRunning }

    /// The number of distinct results being made.
    public var runningCount: Int { pipeline.runningCount }

    /// The number of callers and runs so far that joined a run in flight, for tests.
    var joinedCount: Int { pipeline.joinedCount }

    /// Waits until every result delivered so far is stored, and revalidated if it was stale. Call it before the process
    /// exits.
    public func waitForStores() async { await pipeline.waitForStores() }

    /// Removes `url` from the failed URLs, so that it can be loaded again at once.
    public func removeFailed(_ url: URL) {
        pipeline.failedURLs.removeAll(of: url)
        if !pipeline.components.processors.isEmpty {
            pipeline.failedURLs.removeAll(of: request(for: url, context: .init()).url)
        }
    }

    /// Removes all failed URLs.
    public func removeAllFailed() { pipeline.failedURLs.removeAll() }
}
