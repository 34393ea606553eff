/// A milestone of a transfer, reported by the loader when it is reached.
public enum TransferMilestone: Sendable {
    /// The transfer has started, after any wait in a queue.
    case started

    /// A connection to the origin server is available, new or reused.
    case connected

    /// The response head has been received. Report it before `load` returns.
    case responded

    /// The transfer failed, and is retried after a delay.
    case retries(after: Duration, because: ImageError)
}
