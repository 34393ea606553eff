import DarkroomCore

extension WorkLeasesContract {
    /// Checks that different work does not share a lease: work of another kind, and similar keys, such as those with
    /// equal descriptions.
    public func checkNames() async throws {
        let nodes = try await nodes(2)
        let run = WorkName.sample().key.source
        let names = CacheKey.confusableKeys.flatMap { key in
            WorkName.Kind.allCases.map { WorkName($0, of: CacheKey(source: run + key.source, variant: key.variant)) }
        }
        var leases: [any WorkLease] = []
        for name in names {
            leases.append(
                try await grant(name, to: nodes[0], naming: "beside leases of other work, that of \(name.shown)"))
            _ = try await held(WorkName(name.kind, of: name.key), by: nodes[1], naming: "the lease of \(name.shown)")
        }
        for lease in leases { await lease.end(.cancelled) }
        for (first, second) in Self.confusableNames(run) { try await checkSeparation(first, second, of: nodes) }
    }

    /// Checks that the end of the lease of `second` is not heard by a node that waits for `first`.
    private func checkSeparation(_ first: WorkName, _ second: WorkName, of nodes: [any WorkLeases]) async throws {
        try await timely(life * 3 / 5) {
            let (lease, other) = (try await grant(first, to: nodes[0]), try await grant(second, to: nodes[0]))
            let held = try await held(first, by: nodes[1])
            await other.end(.shared)
            await lease.end(.failed)
            try await requireNews(
                .failed, from: held, of: nodes[1], situation: "of \(first.shown) beside \(second.shown)")
        }
    }

    private static func confusableNames(_ run: String) -> [(WorkName, WorkName)] {
        let (key, variant) = (CacheKey(source: "\(run)/a.png"), CacheKey(source: "\(run)/a.png", variant: ["V", "W"]))
        return [
            (WorkName(.original, of: key), WorkName(.result, of: key)),
            (WorkName(.result, of: variant), WorkName(.result, of: CacheKey(source: "\(run)/a-V-W.png"))),
            (
                WorkName(.result, of: variant),
                WorkName(.result, of: CacheKey(source: "\(run)/a.png", variant: ["V-W"]))
            ),
        ]
    }
}

extension WorkName {
    /// The name of work that no other check uses.
    static func sample() -> WorkName {
        let number = UInt64.random(in: 0...UInt64.max)
        return WorkName(.result, of: CacheKey(source: "https://example.com/\(number)", variant: ["V"]))
    }

    /// The kind and both parts of the key for a message.
    var shown: String { "\(kind.rawValue) \(key.shown)" }
}
