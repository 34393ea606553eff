import DarkroomCore

extension DataCacheContract {
    /// Checks that nothing is stored with a ticket after its source was replaced or removed. A cache whose tickets are
    /// unchecked, as the default implementation returns them, follows no such rule.
    public func checkTickets() async throws {
        try await withCache { cache, subject in
            guard try await cache.ticket(forSource: CacheKey.a.source).isChecked else { return }
            for end in Self.ends {
                let ticket = try await cache.ticket(forSource: CacheKey.a.source)
                try await check(ticket, of: cache, until: end, subject)
                let lookup = await cache.lookUp(.a)
                try subject.require(try lookup.entry.get() == nil, "a lookup after \(end.name) returns an entry")
                let later = End(name: "a lookup and \(end.name)", perform: end.perform)
                try await check(lookup.ticket, of: cache, until: later, subject)
            }
            try await checkOrderOfResponses(of: cache, subject)
        }
    }

    private func check(
        _ ticket: StoreTicket, of cache: any DataCache, until end: End, _ subject: Subject
    ) async throws {
        try await subject.storing { try await cache.store(.sample(1), for: .a, with: ticket) }
        try await subject.require(cache, has: .sample(1), for: .a, "an entry stored with a ticket")
        let found = try await cache.lookUp(.a).entry.get()
        try subject.require(found == .sample(1), "an entry stored with a ticket is not found by a lookup")
        try await subject.storing(end.name) { try await end.perform(cache) }
        try await subject.require(cache, has: nil, for: .a, "an entry, after \(end.name),")
        try await subject.storing { try await cache.store(.sample(2), for: .a, with: ticket) }
        try await subject.require(cache, has: nil, for: .a, "an entry stored with a ticket from before \(end.name)")
    }

    /// An operation after which tickets from before it are no longer current.
    private struct End: Sendable {
        let name: String
        let perform: @Sendable (any DataCache) async throws -> Void
    }

    private static let ends = [
        End(name: "removing its key") { try await $0.remove(.a) },
        End(name: "removing its source") { try await $0.removeAll(ofSource: CacheKey.a.source) },
        End(name: "removing all") { try await $0.removeAll() },
        End(name: "a newer response") {
            _ = try await $0.startGeneration(of: SourceResponse(of: CacheKey.a.source, at: .now()), after: nil)
        },
    ]

    private func checkOrderOfResponses(of cache: any DataCache, _ subject: Subject) async throws {
        let (early, late) = (LoadMoment.now(), LoadMoment.now())
        let source = CacheKey.a.source
        guard let ticket = try await cache.startGeneration(of: SourceResponse(of: source, at: late), after: nil) else {
            throw subject.violation("a response is refused, though none of a later load was stored")
        }
        try await subject.storing { try await cache.store(.sample(3), for: .a, with: ticket) }
        let refused = try await cache.startGeneration(of: SourceResponse(of: source, at: early), after: nil)
        try subject.require(refused == nil, "the response of an earlier load replaces that of a later one")
        try await subject.require(cache, has: .sample(3), for: .a, "an entry, after the response of an earlier load,")
    }
}
