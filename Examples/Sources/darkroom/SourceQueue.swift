import Console

/// Processes `sources`, up to `jobs` at once and equal ones one after another, and reports in the order of the sources.
func process<Outcome: Sendable>(
    _ sources: [Source], jobs: Int,
    _ work: @escaping @Sendable (_ index: Int) async -> Outcome,
    report: (Outcome) -> Void
) async {
    var waiting = Dictionary(grouping: sources.indices) { sources[$0] }.values
        .sorted { $0[0] < $1[0] }.map { $0[...] }[...]
    var done: [Int: Outcome] = [:]
    var next = 0
    await withTaskGroup(of: (ArraySlice<Int>, Outcome).self) { group in
        func start() {
            guard let equal = waiting.popFirst(), let index = equal.first else { return }
            group.addTask { (equal, await work(index)) }
        }
        for _ in 0..<min(jobs, waiting.count) { start() }
        for await (equal, outcome) in group {
            if let index = equal.first { done[index] = outcome }
            if equal.count > 1 { waiting.insert(equal.dropFirst(), at: waiting.startIndex) }
            start()
            while let outcome = done.removeValue(forKey: next) {
                report(outcome)
                next += 1
            }
        }
    }
}
