/// The generations of all sources in a cache. A new one begins when a source is replaced or removed.
///
/// A cache keeps it under the same lock as its entries, and needs it for ``ImageCache/ticket(forSource:)`` and its
/// relatives. Sources share a fixed number of slots: if one has more than four active sources, a store that was permissible
/// may be refused.
public struct SourceGenerations: Sendable {
    /// The generation of a response.
    public struct Start: Sendable {
        /// The ticket with which the response is stored; `nil` if it must not be stored.
        public let ticket: StoreTicket?

        /// Whether entries of the source with another revision must be removed, because they may be older.
        public let removesEntries: Bool
    }

    private var slots = [GenerationSlot](repeating: GenerationSlot(), count: 1024)

    /// Creates the first generation of every source.
    public init() {}

    /// Returns a ticket of the current generation of `source`.
    public func ticket(forSource source: String) -> StoreTicket {
        let hash = hash(of: source)
        return slots[index(of: hash)].ticket(of: hash)
    }

    /// Returns whether `ticket` is of the current generation of `source`, or is not checked.
    public func permits(_ ticket: StoreTicket, forSource source: String) -> Bool {
        let hash = hash(of: source)
        return slots[index(of: hash)].permits(ticket, for: hash)
    }

    /// Starts the generation of `response`. It must not be stored if the response of a later load was stored already, or
    /// the source was removed since its load began.
    ///
    /// A response with the revision of the current generation belongs to it: the entries remain valid. `ticket` was taken
    /// by the load before it read the cache, and `nil` if there was none. While it is current, the response is the newest
    /// one, and after a removal it is refused, even if the clocks of two processes disagree.
    public mutating func start(_ response: SourceResponse, after ticket: StoreTicket?) -> Start {
        let hash = hash(of: response.source)
        let hashed = GenerationSlot.Response(
            source: hash, revision: response.revision.map { self.hash(of: $0) } ?? 0, moment: response.moment)
        return slots[index(of: hash)].start(hashed, after: ticket)
    }

    /// Ends the generation of `source`, because its entries are removed, or were removed from another cache at `moment`.
    /// Responses of loads that began after it are not refused.
    public mutating func end(ofSource source: String, at moment: LoadMoment = .now()) {
        let hash = hash(of: source)
        slots[index(of: hash)].end(of: hash, at: moment)
    }

    /// Ends the generations of all sources, because all entries are removed.
    public mutating func endAll() { for index in slots.indices { slots[index].endAll() } }

    private func hash(of text: String) -> UInt64 {
        var hash = TextHash()
        hash.add(text)
        return hash.value
    }

    private func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash % UInt64(slots.count)) }
}
