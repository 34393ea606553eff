import DarkroomCore

extension ImageCacheContract {
    /// Checks that nothing is stored with a ticket after its source was replaced or removed. A cache whose tickets are
    /// unchecked, as the default implementation returns them, follows no such rule.
    public func checkTickets() throws {
        let (cache, subject) = makeSubject()
        let source = CacheKey.a.source
        guard cache.ticket(forSource: source).isChecked else { return }
        let ends: [(String, (any ImageCache) -> Void)] = [
            ("removing its key", { $0.remove(.a) }),
            ("removing its source", { $0.removeAll(ofSource: source) }),
            ("removing all", { $0.removeAll() }),
            ("a newer response", { _ = $0.startGeneration(of: SourceResponse(of: source, at: .now()), after: nil) }),
        ]
        for (name, end) in ends {
            let ticket = cache.ticket(forSource: source)
            cache.store(.sample(1), for: .a, with: ticket)
            try subject.require(cache.image(for: .a) != nil, "an image stored with a ticket is a miss")
            end(cache)
            try subject.require(cache.image(for: .a) == nil, "an image is not a miss after \(name)")
            cache.store(.sample(2), for: .a, with: ticket)
            try subject.require(
                cache.image(for: .a) == nil, "an image is stored with a ticket from before \(name)")
        }
        let (early, late) = (LoadMoment.now(), LoadMoment.now())
        try subject.require(
            cache.startGeneration(of: SourceResponse(of: source, at: late), after: nil) != nil,
            "a response is refused, though none of a later load was stored")
        try subject.require(
            cache.startGeneration(of: SourceResponse(of: source, at: early), after: nil) == nil,
            "the response of an earlier load replaces that of a later one")
    }
}
