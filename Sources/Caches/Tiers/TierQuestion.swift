import DarkroomCore

/// A lookup in several tiers, which ends with the first hit.
struct TierQuestion<Value: Sendable>: Sendable {
    /// The result of a successful lookup.
    struct Hit {
        let value: Value
        /// The tiers above the hit that had missed by then, the highest first.
        let missed: [any DataCache]
    }

    private enum Answer: Sendable {
        case hit(Value)
        case miss
        case failure
    }

    /// The tiers to search, the highest first.
    let tiers: [any DataCache]

    /// Looks up the value in one tier; `nil` for a miss.
    let ask: @Sendable (any DataCache) async throws -> Value?

    /// Searches the tiers one after the other.
    func inTurn() async throws -> Hit? {
        var missed: [any DataCache] = []
        for tier in tiers {
            try Task.checkCancellation()
            switch await answer(of: tier) {
            case .hit(let value): return Hit(value: value, missed: missed)
            case .miss: missed.append(tier)
            case .failure: break
            }
        }
        return nil
    }

    /// Searches all tiers concurrently. After the first hit, the remaining lookups are cancelled and not awaited.
    func atOnce() async throws -> Hit? {
        let (answers, inbox) = AsyncStream.makeStream(of: (Int, Answer).self)
        let questions = tiers.indices.map { index in
            Task { inbox.yield((index, await answer(of: tiers[index]))) }
        }
        defer { for question in questions { question.cancel() } }
        var missed: [Int] = []
        for await (index, answer) in answers.prefix(tiers.count) {
            switch answer {
            case .hit(let value):
                return Hit(value: value, missed: missed.filter { $0 < index }.sorted().map { tiers[$0] })
            case .miss: missed.append(index)
            case .failure: break
            }
        }
        try Task.checkCancellation()
        return nil
    }

    private func answer(of tier: any DataCache) async -> Answer {
        do {
            return try await ask(tier).map { .hit($0) } ?? .miss
        } catch {
            return .failure
        }
    }
}
