/// The permission to store what is made of the current version of a source, for as long as that version is current.
///
/// A load takes a ticket before it reads a cache. The cache compares it under the lock that stores: if the source was
/// replaced or removed in the meantime, nothing is stored.
public struct StoreTicket: Sendable {
    /// The generation of the source when the ticket was taken; `nil` for a ticket that is not checked.
    public let generation: UInt64?

    /// The moment of the newest load of the source by then.
    public let newestLoad: LoadMoment

    /// The tickets of the tiers of a cache, if it has several.
    public let tiers: [StoreTicket]

    /// Creates a ticket of `generation`, in which `newestLoad` is the newest load so far.
    public init(generation: UInt64, newestLoad: LoadMoment = LoadMoment(nanoseconds: 0)) {
        (self.generation, self.newestLoad, tiers) = (generation, newestLoad, [])
    }

    /// Creates the ticket of a cache with several tiers.
    public init(tiers: [StoreTicket]) {
        (generation, newestLoad, self.tiers) = (nil, LoadMoment(nanoseconds: 0), tiers)
    }

    /// The ticket of a cache that has no generations: everything is stored.
    public static let unchecked = StoreTicket(tiers: [])

    /// A ticket with which nothing is stored, such as that of a cache that may only be read.
    public static let refused = StoreTicket(generation: .max)

    /// Whether nothing is stored with this ticket, in any tier.
    package var isRefused: Bool {
        generation == Self.refused.generation || !tiers.isEmpty && tiers.allSatisfy(\.isRefused)
    }

    /// Returns whether both are of the same generation, in all tiers.
    public func isOfSameGeneration(as other: StoreTicket) -> Bool {
        generation == other.generation && tiers.count == other.tiers.count
            && zip(tiers, other.tiers).allSatisfy { $0.isOfSameGeneration(as: $1) }
    }

    /// Returns whether the cache, whose ticket it is, would store the response of a load that replaces an original.
    func permits(loadBegunAt moment: LoadMoment) -> Bool {
        guard tiers.isEmpty else { return tiers.allSatisfy { $0.permits(loadBegunAt: moment) } }
        // A moment in the future is that of a clock that was wrong.
        return moment >= newestLoad || newestLoad > .now()
    }

    /// Returns the ticket of one tier. That of a cache without tiers counts for each.
    package func tier(at index: Int) -> StoreTicket { tiers.isEmpty ? self : tiers[index] }

    /// Whether the cache, and each of its tiers, has generations.
    package var isChecked: Bool { generation != nil || !tiers.isEmpty && tiers.allSatisfy(\.isChecked) }
}
