/// The events of a load, as ``ImageManager/events(for:context:)`` returns them. They can be read once.
///
/// It is a type of its own because an `AsyncThrowingStream` ends without an error when its reader is cancelled.
public struct LoadEvents: AsyncSequence, Sendable {
    /// The reader of the events.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let events: LoadEvents

        /// Returns the next event; `nil` after the last one, which is the result.
        ///
        /// - Throws: The error of the load, once. Cancelling the task cancels the load, whose error is of kind
        ///   `cancelled` then.
        public mutating func next() async throws(ImageError) -> LoadEvent? { try await events.next() }

        /// Returns the next event like ``next()``.
        public mutating func next(isolation: isolated (any Actor)?) async throws(ImageError) -> LoadEvent? {
            try await events.next()
        }
    }

    private let channel: EventChannel<LoadEvent, ImageError>
    private let lease: Lease

    /// Creates the events of `channel`. `cancel` is called when the reader leaves, and must end the channel.
    init(_ channel: EventChannel<LoadEvent, ImageError>, cancelling cancel: @escaping @Sendable () -> Void) {
        self.channel = channel
        lease = Lease(onEnd: cancel)
    }

    /// Returns the reader.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(events: self) }

    private func next() async throws(ImageError) -> LoadEvent? {
        let outcome = await withTaskCancellationHandler { () -> Result<LoadEvent?, ImageError> in
            do throws(ImageError) {
                return .success(try await channel.next())
            } catch {
                return .failure(error)
            }
        } onCancel: {
            lease.end()
        }
        return try outcome.get()
    }
}
