import DarkroomCore

/// Several caches, the highest first, and which of them each operation uses.
struct Tiers<Tier: Sendable>: Sendable {
    /// All caches.
    let all: [Tier]

    let policies: TierPolicies

    /// The tiers that a lookup searches, in this order.
    var queried: [Tier] { policies.query.selected(from: all) }

    /// The tiers that are asked whether they have a key.
    var checked: [Tier] { policies.contains.selected(from: all) }

    /// The tiers from which a key or a source is removed, the lowest first: a load that reads an old entry of a lower tier has
    /// then taken its ticket of the higher ones before it is removed there.
    var removed: [Tier] { policies.remove.selected(from: all).reversed() }

    /// The tiers that are emptied, in the same order.
    var cleared: [Tier] { policies.clear.selected(from: all).reversed() }

    /// The numbers of all tiers, in the order in which generations start.
    var startOrder: some Collection<Int> { all.indices.reversed() }

    /// Returns the tiers that store with `ticket`.
    func stored(with ticket: StoreTicket) -> [TicketedTier<Tier>] {
        policies.store.selected(from: Array(all.indices)).map {
            TicketedTier(tier: all[$0], ticket: ticket.tier(at: $0))
        }
    }

    /// Returns whether a generation starts in the tier with this number. Others only give their tickets.
    func startsGenerations(at index: Int) -> Bool { policies.remove.selected(from: Array(all.indices)).contains(index) }
}

/// A tier, and a ticket with which it stores.
struct TicketedTier<Tier: Sendable>: Sendable {
    let tier: Tier
    let ticket: StoreTicket
}
