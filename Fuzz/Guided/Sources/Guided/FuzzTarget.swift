/// A use of the inputs of a fuzzer.
struct FuzzTarget: Sendable {
    /// The name, which is that of the folder with its corpus.
    let name: String

    /// Returns the inputs that the fuzzer begins with. Those of coders are fixtures, which `Scripts/fuzz` adds.
    let seeds: @Sendable () throws -> [[UInt8]]

    /// Gives an input to the code under test, and ends the process if a rule is broken.
    let run: @Sendable (FuzzedBytes) throws -> Void

    init(
        _ name: String, seeds: @escaping @Sendable () throws -> [[UInt8]] = { [] },
        _ run: @escaping @Sendable (FuzzedBytes) throws -> Void
    ) {
        self.name = name
        self.seeds = seeds
        self.run = run
    }

    /// Creates a target that begins with texts.
    init(_ name: String, texts: [String], _ run: @escaping @Sendable (FuzzedBytes) throws -> Void) {
        self.init(name, seeds: { texts.map { Array($0.utf8) } }, run)
    }

    /// All targets, sorted by name.
    static let all: [FuzzTarget] = {
        var targets = coders + differences + encoders + metadata + texts + caches
        #if os(Linux)
            targets += isolation
        #endif
        #if Network
            targets += network
        #endif
        #if Server
            targets += server
        #endif
        return targets.sorted { $0.name < $1.name }
    }()
}

/// Ends the process, which the fuzzer reports together with the input, unless `condition` holds.
func demand(_ condition: Bool, _ rule: @autoclosure () -> String) {
    if !condition { fatalError("broken rule: \(rule())") }
}
