public import Darkroom
import Synchronization

/// Removes from memory what another program has removed from the disk cache, such as `darkroom cache purge`.
///
/// The disk cache starts a new generation of a source when it is removed, whoever does it. A watch compares the generation
/// of each source whose images are served with the one before the image was loaded. A load that finds a new version starts
/// one as well, so an image leaves the memory once after it was made, and is read from disk again. It also leaves the memory
/// if the watch, which remembers a limited number of generations, has forgotten that of its source. No removal is missed.
public final class PurgeWatch: Sendable {
    /// A source whose images a request may get from memory.
    final class Source: Sendable {
        /// The key of the original. Unlike names, canonically equivalent keys are not equal.
        fileprivate let key: CacheKey
        /// The last pass in which the source was noted.
        fileprivate let pass = Atomic(0)

        init(_ name: String) { key = CacheKey(source: name) }
    }

    private let disk: any DataCache
    private let remove: @Sendable (String, LoadMoment) -> Void
    private let pass = Atomic(1)
    private let noted = Mutex<Set<CacheKey>>([])
    private let tickets: RecentCache<CacheKey, StoreTicket>

    /// Creates a watch of `disk`, which calls `remove` with each source that was removed, or may have been, and with the
    /// moment of its newest load or removal. What was loaded later, by another server perhaps, can be used.
    public convenience init(
        disk: any DataCache, removing remove: @escaping @Sendable (_ source: String, _ moment: LoadMoment) -> Void
    ) {
        self.init(disk: disk, ticketByteLimit: 16 << 20, removing: remove)
    }

    /// Creates a watch that remembers generations in `ticketByteLimit` bytes.
    init(
        disk: any DataCache, ticketByteLimit: Int,
        removing remove: @escaping @Sendable (_ source: String, _ moment: LoadMoment) -> Void
    ) {
        self.disk = disk
        self.remove = remove
        tickets = RecentCache(costLimit: ticketByteLimit)
    }

    /// Checks the sources that were served since the last time, once a second until the task is cancelled.
    public func run() async {
        // A disk cache has no event for what another program removes.
        while (try? await Task.sleep(for: .seconds(1))) != nil { await check() }
    }

    /// Removes the sources that were served since the last time, if another program has removed them, or may have because
    /// their earlier generation is forgotten.
    public func check() async {
        pass.add(1, ordering: .relaxed)
        let sources = noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
        for source in sources {
            guard let ticket = try? await disk.ticket(forSource: source.source),
                tickets.value(for: source)?.isOfSameGeneration(as: ticket) != true
            else { continue }
            restart(source, at: ticket)
        }
    }

    /// Notes the generation of `source`, unless it is known. Call it before anything of the source is loaded.
    ///
    /// Images that are in memory all the same were made before the generation was forgotten, and are removed.
    func follow(_ source: Source) async {
        if tickets.value(for: source.key) == nil,
            let ticket = try? await disk.ticket(forSource: source.key.source),
            // Another request may have noted it meanwhile, and loaded an image.
            tickets.value(for: source.key) == nil
        {
            restart(source.key, at: ticket)
        }
        note(source)
    }

    /// Has `source` checked in the next pass.
    func note(_ source: Source) {
        let pass = pass.load(ordering: .relaxed)
        guard source.pass.exchange(pass, ordering: .relaxed) != pass else { return }
        noted.withLock { _ = $0.insert(source.key) }
    }

    /// Removes `source`, whose generation is that of `ticket` from now on.
    private func restart(_ source: CacheKey, at ticket: StoreTicket) {
        tickets.store(ticket, for: source, cost: 128 + source.source.utf8.count)
        remove(source.source, ticket.newestLoad)
    }
}
