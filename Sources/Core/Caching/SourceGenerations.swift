/// The generations of all sources in a cache. A new one begins when a source is replaced or removed.
///
/// A cache keeps it under the same lock as its entries, and needs it for ``ImageCache/ticket(forSource:)`` and its
/// relatives. Sources share a fixed number of slots: a collision may only refuse a store that was permissible.
public struct SourceGenerations: Sendable {
    /// The generation of a response.
    public struct Start: Sendable {
        /// The ticket with which the response is stored; `nil` if it must not be stored.
        public let ticket: StoreTicket?

        /// Whether entries of the source with another revision must be removed, because they may be older.
        public let removesEntries: Bool
    }

    private var slots = [SourceGeneration](repeating: SourceGeneration(), count: 1024)

    /// Creates the first generation of every source.
    public init() {}

    /// Returns a ticket of the current generation of `source`.
    public func ticket(forSource source: String) -> StoreTicket { slots[index(of: hash(of: source))].ticket }

    /// Returns whether `ticket` is of the current generation of `source`, or is not checked.
    public func permits(_ ticket: StoreTicket, forSource source: String) -> Bool {
        slots[index(of: hash(of: source))].permits(ticket)
    }

    /// Starts the generation of `response`. It must not be stored if the response of a later load was stored already, or
    /// the source was removed since its load began.
    ///
    /// A response with the revision of the current generation belongs to it: the entries remain valid. `ticket` was taken
    /// by the load before it read the cache. While it is current, the response is the newest one, even if the clocks of
    /// two processes disagree. It is `nil` if the response replaces one that the load has found.
    public mutating func start(_ response: SourceResponse, after ticket: StoreTicket?) -> Start {
        let hash = hash(of: response.source)
        let hashed = SourceGeneration.Response(
            source: hash, revision: response.revision.map { self.hash(of: $0) } ?? 0, moment: response.moment)
        return slots[index(of: hash)].start(hashed, after: ticket)
    }

    /// Ends the generation of `source`, because its entries are removed.
    public mutating func end(ofSource source: String) {
        let hash = hash(of: source)
        slots[index(of: hash)].end(of: hash)
    }

    /// Ends the generations of all sources, because all entries are removed.
    public mutating func endAll() { for index in slots.indices { slots[index].end() } }

    private func hash(of text: String) -> UInt64 {
        var hash = TextHash()
        hash.add(text)
        return hash.value
    }

    private func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash % UInt64(slots.count)) }
}

/// The generation of the sources that share a slot.
package struct SourceGeneration: Sendable {
    /// A response, with its texts as hashes.
    package struct Response: Sendable {
        let source: UInt64
        /// The hash of the revision; 0 if it is unknown.
        let revision: UInt64
        let moment: LoadMoment

        /// Creates a response of the source with the hash `source`.
        package init(source: UInt64, revision: UInt64, moment: LoadMoment) {
            (self.source, self.revision, self.moment) = (source, revision, moment)
        }
    }

    /// The number of the generation, which is even.
    package var number: UInt64 = 0

    /// The moment of the newest load whose response was stored, or of the last removal.
    package var newestLoad = LoadMoment(nanoseconds: 0)

    /// The hash of the source that was loaded or removed then.
    package var newestSource: UInt64 = 0

    /// The hash of the revision that was loaded then; 0 if it is unknown, or the source was removed.
    package var newestRevision: UInt64 = 0

    /// Creates the first generation.
    package init() {}

    /// A ticket of this generation.
    package var ticket: StoreTicket { StoreTicket(generation: number, newestLoad: newestLoad) }

    /// Returns whether `ticket` is of this generation, or is not checked.
    package func permits(_ ticket: StoreTicket) -> Bool { ticket.generation == nil || ticket.generation == number }

    /// Starts the generation of `response`, as `SourceGenerations` does.
    package mutating func start(_ response: Response, after ticket: StoreTicket?) -> SourceGenerations.Start {
        let (source, moment) = (response.source, response.moment)
        // Another cache of the same request shares the entries, and has started the generation already.
        if moment == newestLoad, source == newestSource { return .init(ticket: self.ticket, removesEntries: false) }
        let isCurrent = ticket.map { $0.generation == number && $0.newestLoad == newestLoad } ?? false
        // A moment in the future is that of a clock that was wrong.
        let isLate = !isCurrent && moment < newestLoad && newestLoad <= .now()
        if isLate, source == newestSource { return .init(ticket: nil, removesEntries: false) }
        if !isLate, source == newestSource, response.revision != 0, response.revision == newestRevision {
            newestLoad = moment
            return .init(ticket: self.ticket, removesEntries: false)
        }
        number &+= 2
        // The response of a later load of another source hides whether there was one of this source.
        if isLate { return .init(ticket: nil, removesEntries: true) }
        (newestLoad, newestSource, newestRevision) = (moment, source, response.revision)
        return .init(ticket: self.ticket, removesEntries: true)
    }

    /// Ends the generation, because entries are removed: those of the source with this hash, or all.
    package mutating func end(of source: UInt64 = 0) {
        number &+= 2
        (newestLoad, newestSource, newestRevision) = (.now(), source, 0)
    }
}
