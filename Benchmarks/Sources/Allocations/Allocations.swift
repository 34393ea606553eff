import Photograph

/// Counts the allocations of each suite, and prints them with its CPU time: `allocations [NAME]` only runs those whose
/// names begin so. `Scripts/check-benchmarks` compares them with `allocations.json`.
@main
enum Allocations {
    static func main() async throws {
        let prefix = CommandLine.arguments.dropFirst().first ?? ""
        let suites = codingSuites() + transformingSuites() + cachingSuites() + managingSuites()
        for suite in suites where suite.name.hasPrefix(prefix) {
            let cost = try await suite.measure()
            print(cost.allocationCount, (cost.milliseconds * 1e3).rounded() / 1e3, suite.name, separator: "\t")
        }
    }
}
