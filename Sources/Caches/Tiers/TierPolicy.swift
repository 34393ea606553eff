/// Which tiers an operation visits, and in what order.
public enum TierPolicy: Hashable, Sendable {
    /// One after the other, the highest first; a question ends at the first hit.
    case serial
    /// All at once; a question ends with the first hit that arrives, and waits for no other. Caches that answer at once are asked in order.
    case concurrent
    /// Only the tier that comes first.
    case highestOnly
    /// Only the tier that comes last.
    case lowestOnly
}

/// The policy of each operation of a cache of tiers.
public struct TierPolicies: Hashable, Sendable {
    /// For an entry or image: `serial`.
    public var query = TierPolicy.serial

    /// `highestOnly`.
    public var store = TierPolicy.highestOnly

    /// For one key, or one source: `concurrent`.
    public var remove = TierPolicy.concurrent

    /// `serial`.
    public var contains = TierPolicy.serial

    /// For everything: `concurrent`.
    public var clear = TierPolicy.concurrent

    /// Whether a hit in a lower tier is also kept in those above it that missed before; not by default.
    ///
    /// One that failed, or has not answered yet, may have a newer entry, and is left as it is.
    public var copiesHitsUp = false

    /// The policies above, to be changed one by one.
    public init() {}
}

extension TierPolicy {
    /// Those of `tiers`, the highest first, that this policy visits.
    func chosen<Tier>(from tiers: [Tier]) -> [Tier] {
        switch self {
        case .serial, .concurrent: tiers
        case .highestOnly: Array(tiers.prefix(1))
        case .lowestOnly: Array(tiers.suffix(1))
        }
    }
}
