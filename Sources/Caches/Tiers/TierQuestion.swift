import DarkroomCore

/// A question to several tiers, which ends with the first hit.
struct TierQuestion<Value: Sendable>: Sendable {
    /// What a tier had.
    struct Hit {
        let value: Value
        /// The tiers above it that had said by then that they have nothing, the highest first.
        let missed: [any DataCache]
    }

    private enum Answer: Sendable {
        case hit(Value)
        case miss
        case failure
    }

    /// Who is asked, the highest first.
    let tiers: [any DataCache]

    /// `nil` for a miss.
    let ask: @Sendable (any DataCache) async throws -> Value?

    /// Asks one after the other.
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

    /// Asks all at once. Those that have not answered by the first hit are cancelled, and nobody waits for them.
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
