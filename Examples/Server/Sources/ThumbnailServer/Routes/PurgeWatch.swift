public import Darkroom
import Synchronization

/// Removes from memory what another program has removed from the disk cache, such as `darkroom cache purge`.
///
/// The disk cache starts a new generation of a source when it is removed, whoever does it. A watch compares the generation
/// of each source whose images are served with the one before the image was loaded. A load that finds a new version starts
/// one as well, so an image leaves the memory once after it was made, and is read from disk again. No removal is missed.
public final class PurgeWatch: Sendable {
    /// A source whose images a request may get from memory.
    final class Source: Sendable {
        let name: String
        /// The last pass in which the source was noted.
        fileprivate let pass = Atomic(0)

        init(_ name: String) { self.name = name }
    }

    private let disk: any DataCache
    private let remove: @Sendable (String) async -> Void
    private let pass = Atomic(1)
    private let noted = Mutex<Set<String>>([])
    private let tickets = RecentCache<String, StoreTicket>(costLimit: 16 << 20)

    /// Creates a watch of `disk`, which calls `remove` with each source that was removed.
    public init(disk: any DataCache, removing remove: @escaping @Sendable (_ source: String) async -> Void) {
        self.disk = disk
        self.remove = remove
    }

    /// Checks the sources that were served since the last time, once a second until the task is cancelled.
    public func run() async {
        // A disk cache has no event for what another program removes.
        while (try? await Task.sleep(for: .seconds(1))) != nil { await check() }
    }

    /// Removes the sources that were served since the last time, if another program has removed them.
    public func check() async {
        pass.add(1, ordering: .relaxed)
        let sources = noted.withLock { noted in
            defer { noted = [] }
            return noted
        }
        for source in sources {
            guard let last = tickets.value(for: source), let ticket = try? await disk.ticket(forSource: source),
                !ticket.isOfSameGeneration(as: last)
            else { continue }
            store(ticket, for: source)
            await remove(source)
        }
    }

    /// Notes the generation of `source`, unless it is known. Call it before anything of the source is loaded.
    func follow(_ source: Source) async {
        if tickets.value(for: source.name) == nil, let ticket = try? await disk.ticket(forSource: source.name) {
            store(ticket, for: source.name)
        }
        note(source)
    }

    /// Has `source` checked in the next pass.
    func note(_ source: Source) {
        let pass = pass.load(ordering: .relaxed)
        guard source.pass.exchange(pass, ordering: .relaxed) != pass else { return }
        noted.withLock { _ = $0.insert(source.name) }
    }

    private func store(_ ticket: StoreTicket, for source: String) {
        tickets.store(ticket, for: source, cost: 128 + source.utf8.count)
    }
}
