#if os(Linux) || os(macOS)
    import DarkroomCore

    /// The time of a request that its budget does not limit: that of its work, and of waiting for other nodes.
    final class Ledger: Sendable {
        /// The ledger of the request that the current task works for.
        @TaskLocal static var current: Ledger?

        private let total = Locked(Duration.zero)
        private let awaited = Locked<Set<WorkName>>([])

        var time: Duration { total.value }

        /// Returns the result of `body`, and counts its time.
        static func explained<Value>(
            by runtime: VirtualRuntime, _ body: () async throws -> Value
        ) async rethrows -> Value {
            let start = runtime.now
            defer { current?.add(runtime.now - start) }
            return try await body()
        }

        func add(_ time: Duration) { total.withLock { $0 += time } }

        /// Notes that another node holds the lease of `work`. Returns whether that was known.
        func noteWait(for work: WorkName) -> Bool { !awaited.withLock { $0.insert(work).inserted } }
    }

    /// Leases of which the requests that are repeated while another node works count as waiting for it.
    struct LedgerLeases: WorkLeases {
        let base: any WorkLeases
        let runtime: VirtualRuntime

        func lease(for work: WorkName, budget: TierBudget) async -> LeaseAnswer {
            let start = runtime.now
            let answer = await base.lease(for: work, budget: budget)
            if case .held = answer, let ledger = Ledger.current, ledger.noteWait(for: work) {
                ledger.add(runtime.now - start)
            }
            return answer
        }
    }
#endif
