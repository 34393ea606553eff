/// The tiers that an operation uses, and their order.
public enum TierPolicy: Hashable, Sendable {
    /// One tier after the other, starting with the highest. A lookup ends at the first hit.
    case serial
    /// All tiers, which data caches store in at the same time. Lookups use them like `serial`, and removals in the
    /// opposite order.
    case concurrent
    /// Only the first tier.
    case highestOnly
    /// Only the last tier.
    case lowestOnly
}

/// The policy of each operation of a tiered cache.
public struct TierPolicies: Hashable, Sendable {
    /// The lookup of an entry or image. The default is `serial`.
    public var query = TierPolicy.serial

    /// Storing. The default is `highestOnly`.
    public var store = TierPolicy.highestOnly

    /// Removing a key or a source. The default is `concurrent`, that is, all tiers, the lowest first.
    public var remove = TierPolicy.concurrent

    /// Checking for a key. The default is `serial`.
    public var contains = TierPolicy.serial

    /// Removing everything. The default is `concurrent`, that is, all tiers, the lowest first.
    public var clear = TierPolicy.concurrent

    /// Whether a hit in a lower tier is also stored in the tiers above it that missed. The default is `false`.
    ///
    /// A tier that failed may have a newer entry, and is left unchanged.
    public var promotesHits = false

    /// Creates the default policies.
    public init() {}

    /// The policies of an inclusive hierarchy: entries are stored in all tiers, and hits are promoted.
    public static var inclusive: TierPolicies {
        var policies = TierPolicies()
        policies.store = .concurrent
        policies.promotesHits = true
        return policies
    }
}

extension TierPolicy {
    /// Returns those of `tiers`, the highest first, that this policy uses.
    func selected<Tier>(from tiers: [Tier]) -> [Tier] {
        switch self {
        case .serial, .concurrent: tiers
        case .highestOnly: Array(tiers.prefix(1))
        case .lowestOnly: Array(tiers.suffix(1))
        }
    }
}
