/// The generations of all sources in a cache. A new one begins when a source is replaced or removed.
///
/// A cache keeps it under the same lock as its entries, and needs it for ``ImageCache/ticket(forSource:)`` and its
/// relatives. Sources share a fixed number of slots: a collision may only refuse a store that was permissible.
public struct SourceGenerations: Sendable {
    /// The generation of a response.
    public struct Start: Sendable {
        /// The ticket with which the response is stored; `nil` if it must not be stored.
        public let ticket: StoreTicket?

        /// Whether the entries of the source must be removed, because they may be of an older version.
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

    /// Starts a generation for the response of a load that began at `moment`. It must not be stored if the response of
    /// a later load was stored already, or the source was removed since.
    ///
    /// `ticket` was taken by a load that then looked for the original and found none. While it is current, and no other
    /// response of the source belongs to its generation, there is nothing to remove. It is `nil` if the response
    /// replaces entries.
    public mutating func start(ofSource source: String, at moment: LoadMoment, after ticket: StoreTicket?) -> Start {
        let hash = hash(of: source)
        return slots[index(of: hash)].start(of: hash, at: moment, after: ticket)
    }

    /// Ends the generation of `source`, because its entries are removed.
    public mutating func end(ofSource source: String) {
        let hash = hash(of: source)
        slots[index(of: hash)].end(of: hash)
    }

    /// Ends the generations of all sources, because all entries are removed.
    public mutating func endAll() { for index in slots.indices { slots[index].end() } }

    private func hash(of source: String) -> UInt64 {
        var hash = TextHash()
        hash.add(source)
        return hash.value
    }

    private func index(of hash: UInt64) -> Int { Int(truncatingIfNeeded: hash % UInt64(slots.count)) }
}

/// The generation of the sources that share a slot.
package struct SourceGeneration: Sendable {
    /// The number of the generation, which is even.
    package var number: UInt64 = 0

    /// The moment of the newest load whose response was stored, or of the last removal.
    package var newestLoad = LoadMoment(nanoseconds: 0)

    /// The hash of the source that was loaded or removed then.
    package var newestSource: UInt64 = 0

    /// Creates the first generation.
    package init() {}

    /// A ticket of this generation.
    package var ticket: StoreTicket { StoreTicket(generation: number, newestLoad: newestLoad) }

    /// Returns whether `ticket` is of this generation, or is not checked.
    package func permits(_ ticket: StoreTicket) -> Bool { ticket.generation == nil || ticket.generation == number }

    /// Starts the generation of a response, as `SourceGenerations` does. `source` is the hash of its source.
    package mutating func start(
        of source: UInt64, at moment: LoadMoment, after ticket: StoreTicket?
    ) -> SourceGenerations.Start {
        // Another cache of the same request shares the entries, and has started the generation already.
        if moment == newestLoad, source == newestSource { return .init(ticket: self.ticket, removesEntries: false) }
        let isCurrent = ticket.map { $0.generation == number && $0.newestLoad == newestLoad } ?? false
        // A moment in the future is that of a clock that was wrong.
        let isLate = !isCurrent && moment < newestLoad && newestLoad <= .now()
        if isLate, source == newestSource { return .init(ticket: nil, removesEntries: false) }
        number &+= 2
        // The response of a later load of another source hides whether there was one of this source.
        if isLate { return .init(ticket: nil, removesEntries: true) }
        // An earlier response of this source may have been stored, with results, since the lookup.
        let removesEntries = !isCurrent || source == newestSource
        (newestLoad, newestSource) = (moment, source)
        return .init(ticket: self.ticket, removesEntries: removesEntries)
    }

    /// Ends the generation, because entries are removed: those of the source with this hash, or all.
    package mutating func end(of source: UInt64 = 0) {
        number &+= 2
        (newestLoad, newestSource) = (.now(), source)
    }
}
