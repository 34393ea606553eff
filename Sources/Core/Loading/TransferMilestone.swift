/// What a loader tells about a transfer, each at the moment it happens.
public enum TransferMilestone: Sendable {
    /// It has its turn: before, it waited for others.
    case started

    /// There is a connection to the origin; a new one, or one that was kept.
    case connected

    /// The head of the response is there. Tell it before the response is answered.
    case responded

    /// It failed, and is tried again after a pause.
    case retries(after: Duration, because: ImageError)
}
