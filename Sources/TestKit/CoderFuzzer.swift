public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Feeds a coder with spoilt files: bits flipped, ends cut off, parts moved, doubled and mixed, numbers made extreme.
///
/// Equal fuzzers try equal files. What each file goes through is a `CoderTrial`.
public struct CoderFuzzer: Sendable {
    /// How the files ended.
    public struct Tally: Hashable, Sendable {
        /// Those that are pictures still.
        public var acceptedCount = 0

        /// Those that end in an `ImageError`.
        public var rejectedCount = 0

        /// Pictures of which feeding in parts makes another one: no harm in a broken file, but worth a look.
        public var unevenCount = 0
    }

    /// What one file may cost.
    public var limits = DecodeLimits.forTrials

    private let coder: any ImageCoder
    private let seeds: [[UInt8]]
    private let seed: UInt64

    /// A fuzzer of `coder` that spoils `seeds`, whole files of its formats; small ones are soonest tried in all their parts.
    public init(_ coder: any ImageCoder, seeds: [Data], seed: UInt64 = 1) {
        self.coder = coder
        self.seeds = seeds.map { [UInt8]($0) }
        self.seed = seed
    }

    /// Tries so many files; the first that no coder may treat so ends it with a violation, which names the iteration.
    ///
    /// With a `folder`, that file is left there. So is the one that was tried last when the process dies, as `current.bin`.
    @discardableResult
    public func run(iterations: Int, keepingFailuresIn folder: URL? = nil) throws -> Tally {
        let subject = Subject(coder)
        guard !seeds.isEmpty else { throw subject.violation("there is no file to begin with") }
        var mutator = FileMutator(seeds, seed: seed)
        let trial = CoderTrial(CoderRegistry([coder]), limits: limits)
        var tally = Tally()
        let current = folder?.appending(path: "current.bin")
        for iteration in 0..<iterations {
            let bytes = mutator.next()
            if let current { try Data(bytes).write(to: current) }
            switch trial.run(bytes, chunk: { mutator.below(bytes.count / 3 + 2) }) {
            case .accepted: tally.acceptedCount += 1
            case .rejected: tally.rejectedCount += 1
            case .uneven: tally.unevenCount += 1
            case .failed(let sentence):
                try keep(bytes, iteration, folder)
                throw subject.violation("spoilt file \(iteration) of seed \(seed): \(sentence)")
            }
        }
        if let current, iterations > 0 { try FileManager.default.removeItem(at: current) }
        return tally
    }

    private func keep(_ bytes: [UInt8], _ iteration: Int, _ folder: URL?) throws {
        guard let folder else { return }
        try Data(bytes).write(to: folder.appending(path: "failed-\(seed)-\(iteration).bin"))
        try FileManager.default.removeItem(at: folder.appending(path: "current.bin"))
    }
}
