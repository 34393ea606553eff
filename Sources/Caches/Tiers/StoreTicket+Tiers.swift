import DarkroomCore

extension StoreTicket {
    /// Starts a generation with `start` in each of several tiers, which are numbered from 0, in the order of `indices`. Returns
    /// the tickets of all of them, or `nil` if `start` does, because a tier has the response of a later load.
    ///
    /// The other tiers are asked even then: they remove what is older than both responses.
    static func starting(
        tiers indices: some Collection<Int>, _ start: (Int) -> StoreTicket?
    ) -> StoreTicket? {
        var tickets = [StoreTicket?](repeating: nil, count: indices.count)
        for index in indices { tickets[index] = start(index) }
        return StoreTicket(startedTiers: tickets)
    }

    /// Does the same in tiers that must be waited for.
    static func starting(
        tiers indices: some Collection<Int>, _ start: (Int) async -> StoreTicket?
    ) async -> StoreTicket? {
        var tickets = [StoreTicket?](repeating: nil, count: indices.count)
        for index in indices { tickets[index] = await start(index) }
        return StoreTicket(startedTiers: tickets)
    }

    private init?(startedTiers tickets: [StoreTicket?]) {
        let permitted = tickets.compactMap(\.self)
        guard permitted.count == tickets.count else { return nil }
        self.init(tiers: permitted)
    }
}
