/// The outcome of a lookup in a data cache: a ticket of the source, and the entry.
public struct DataLookup: Sendable {
    /// The ticket with which the load stores what it makes of the source. It was taken before the entry was read.
    public let ticket: StoreTicket

    /// The entry, or `nil` for a miss. The error of a cache counts as a miss.
    public let entry: Result<DataEntry?, any Error>

    /// Creates the outcome of ``DataCache/lookUp(_:)``.
    public init(ticket: StoreTicket, entry: Result<DataEntry?, any Error>) {
        self.ticket = ticket
        self.entry = entry
    }
}
