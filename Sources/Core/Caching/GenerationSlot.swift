/// The generations of the sources that share a slot. It remembers those that began most recently, one by one, and knows
/// of the others only when the newest of them began.
package struct GenerationSlot: Sendable {
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

    /// The current generation of one source.
    package struct Record: Sendable {
        /// The hash of the source.
        package let source: UInt64
        /// The number of the generation, which no other one in the slot has had.
        package let number: UInt64
        /// The moment of the newest load whose response was stored, or of the last removal.
        package var newestLoad: LoadMoment
        /// The hash of the revision that was loaded then; 0 if it is unknown, or the source was removed.
        package let revision: UInt64
        /// The number of the generation that began with the last removal of the source; 0 if none is known.
        package let removal: UInt64

        /// Creates the record of a generation.
        package init(source: UInt64, number: UInt64, newestLoad: LoadMoment, revision: UInt64, removal: UInt64) {
            (self.source, self.number, self.newestLoad, self.revision) = (source, number, newestLoad, revision)
            self.removal = removal
        }
    }

    /// The number of sources that are remembered.
    package static let recordLimit = 4

    /// The records of the sources that are remembered, the most recent one first.
    package private(set) var records: [Record] = []

    /// The number of the generation of all other sources.
    package private(set) var otherNumber: UInt64 = 0

    /// The newest moment of all other sources.
    package private(set) var otherNewestLoad = LoadMoment(nanoseconds: 0)

    /// The number of the last generation of another source that began with a removal.
    package private(set) var otherRemoval: UInt64 = 0

    /// The highest number so far.
    package private(set) var lastNumber: UInt64 = 0

    /// Creates the first generation of all sources.
    package init() {}

    /// Creates a slot with these values.
    package init(
        records: [Record], otherNumber: UInt64, otherNewestLoad: LoadMoment, otherRemoval: UInt64, lastNumber: UInt64
    ) {
        self.records = records
        (self.otherNumber, self.otherNewestLoad, self.lastNumber) = (otherNumber, otherNewestLoad, lastNumber)
        self.otherRemoval = otherRemoval
    }

    /// Returns a ticket of the current generation of `source`.
    package func ticket(of source: UInt64) -> StoreTicket {
        guard let record = record(of: source) else {
            return StoreTicket(generation: otherNumber, newestLoad: otherNewestLoad)
        }
        return StoreTicket(generation: record.number, newestLoad: record.newestLoad)
    }

    /// Returns whether `ticket` is of the current generation of `source`, or is not checked.
    package func permits(_ ticket: StoreTicket, for source: UInt64) -> Bool {
        ticket.generation == nil || ticket.generation == self.ticket(of: source).generation
    }

    /// Starts the generation of `response` at `now`, as `SourceGenerations` does.
    ///
    /// The numbers of generations tell which loads began before a removal. Only the order of two loads must be told by
    /// clocks, which may disagree.
    ///
    /// - Parameter isRemoved: Whether all sources are known to have been removed since the load began.
    package mutating func start(
        _ response: Response, after ticket: StoreTicket?, isRemoved: Bool = false, at now: LoadMoment = .now()
    ) -> SourceGenerations.Start {
        let (source, record, current) = (response.source, record(of: response.source), self.ticket(of: response.source))
        let isRemoved = isRemoved || ticket?.generation.map { $0 < record?.removal ?? otherRemoval } ?? false
        // Another cache of the same request shares the entries, and has started the generation already.
        if record?.newestLoad == response.moment {
            return .init(ticket: isRemoved ? nil : current, removesEntries: false)
        }
        let isCurrent = ticket?.generation == current.generation && ticket?.newestLoad == current.newestLoad
        // A moment in the future is that of a clock that was wrong.
        let isLate = !isCurrent && response.moment < current.newestLoad && current.newestLoad <= now
        guard !isLate else {
            // The later load may have been of another source, so the entries may be older.
            if record == nil { add(source, newestLoad: current.newestLoad, revision: 0) }
            return .init(ticket: nil, removesEntries: record == nil)
        }
        if let record, response.revision != 0, response.revision == record.revision {
            guard !isRemoved else { return .init(ticket: nil, removesEntries: false) }
            add(record, newestLoad: response.moment)
            return .init(ticket: self.ticket(of: source), removesEntries: false)
        }
        // Entries stored since the removal may be older than this response.
        add(source, newestLoad: response.moment, revision: isRemoved ? 0 : response.revision)
        return .init(ticket: isRemoved ? nil : self.ticket(of: source), removesEntries: true)
    }

    /// Ends the generation of `source`, because its entries are removed at `now`.
    package mutating func end(of source: UInt64, at now: LoadMoment = .now()) {
        let number = makeNumber()
        add(
            Record(source: source, number: number, newestLoad: now, revision: 0, removal: number), newestLoad: now)
    }

    /// Ends the generations of all sources, because all entries are removed at `now`.
    package mutating func endAll(at now: LoadMoment = .now()) {
        records = []
        otherNumber = makeNumber()
        otherRemoval = otherNumber
        otherNewestLoad = now
    }

    private func record(of source: UInt64) -> Record? { records.first { $0.source == source } }

    private mutating func makeNumber() -> UInt64 {
        lastNumber &+= 1
        return lastNumber
    }

    private mutating func add(_ source: UInt64, newestLoad: LoadMoment, revision: UInt64) {
        let (number, removal) = (makeNumber(), record(of: source)?.removal ?? otherRemoval)
        add(
            Record(source: source, number: number, newestLoad: newestLoad, revision: revision, removal: removal),
            newestLoad: newestLoad)
    }

    /// Makes `record` the most recent one, with `newestLoad`.
    private mutating func add(_ record: Record, newestLoad: LoadMoment) {
        var record = record
        record.newestLoad = newestLoad
        records.removeAll { $0.source == record.source }
        records.insert(record, at: 0)
        guard records.count > Self.recordLimit else { return }
        let forgotten = records.removeLast()
        // Tickets from before its generation must not become valid again.
        otherNumber = makeNumber()
        otherNewestLoad = max(otherNewestLoad, forgotten.newestLoad)
        otherRemoval = max(otherRemoval, forgotten.removal)
    }
}
