/// A link of the chain original → result → file, as the data caches have it for one request.
struct Artifact: Sendable {
    enum Kind {
        case original, result, file

        /// The work of a fleet that makes it.
        var work: WorkName.Kind { self == .original ? .original : .result }
    }

    let kind: Kind
    let key: CacheKey
    /// The data cache that has it.
    let slot: DataSlot
    /// Whether the caches are searched for it.
    let isRead: Bool
    /// Whether a copy of that in the shared cache is stored in the data cache.
    let isStored: Bool
    /// The shared cache; `nil` if the request does not use one for it.
    let shared: SharedSlot?

    /// Returns whether `entry` is what the artifact is. Others count as misses.
    func accepts(_ entry: DataEntry) -> Bool { kind != .file || entry.metadata.file != nil }

    /// Returns the ticket of its data cache.
    func ticket(_ tickets: StoreTickets) -> StoreTicket { kind == .original ? tickets.originals : tickets.results }

    /// Stores a copy of what was found in the shared cache.
    func storeCopy(of found: Found) {
        if isStored { slot.storeCopy(of: found.entry, at: key, with: ticket(found.tickets)) }
    }

    /// Updates the stored entry after its original was confirmed to be `version`.
    func renew(_ entry: DataEntry, to version: OriginalVersion) async {
        guard entry.metadata.original != version else { return }
        var metadata = entry.metadata
        metadata.original = version
        await slot.update(metadata, at: key)
    }
}

/// An entry of an artifact, fresh or stale.
struct Found: Sendable {
    var entry: DataEntry
    var verdict: CacheDecision
    /// Where it was found: in a data cache or the shared one.
    let origin: LoadResult.Origin
    /// The tickets for what is made of it.
    var tickets: StoreTickets
}

/// The outcome of a lookup in the data caches.
struct Lookup: Sendable {
    /// The tickets taken before the entry was read.
    let tickets: StoreTickets
    var found: Found?
}
