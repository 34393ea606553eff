public import DarkroomCore
public import DarkroomPlatform

/// A fuzzer of coders. It mutates files by flipping bits, truncating, moving, duplicating and mixing parts, and making
/// numbers extreme.
///
/// Equal fuzzers try equal files. Each file is run through a ``CoderTrial``, or through a ``GrowingFileTrial``.
public struct CoderFuzzer: Sendable {
    /// The number of files by outcome.
    public struct Counts: Hashable, Sendable {
        /// The number of files that are still images.
        public var acceptedCount = 0

        /// The number of files rejected with an `ImageError`.
        public var rejectedCount = 0

        /// The number of images for which progressive decoding ends in another image. That is harmless in a corrupt file, but
        /// may point to a bug.
        public var unevenCount = 0
    }

    /// The limits for one file.
    public var limits = DecodeLimits.forTrials

    private let coder: any ImageCoder
    private let seeds: [[UInt8]]
    private let seed: UInt64

    /// Creates a fuzzer of `coder` that mutates `seeds`, complete files of its formats. Small files are covered fastest.
    public init(_ coder: any ImageCoder, seeds: [Data], seed: UInt64 = 1) {
        self.coder = coder
        self.seeds = seeds.map { [UInt8]($0) }
        self.seed = seed
    }

    /// Tries `iterations` files. The first one for which the coder breaks a rule ends the run with a violation that names the
    /// iteration. The variable `FUZZ_ITERATIONS` of the environment replaces their number, for a long run of the same tests.
    ///
    /// If `folder` is not `nil`, that file is saved in it. If the process crashes, the last file remains as `current.bin`.
    @discardableResult
    public func run(iterations: Int, keepingFailuresIn folder: URL? = nil) throws -> Counts {
        let trial = CoderTrial(CoderRegistry([coder]), limits: limits)
        return try run(iterations, folder, { $0.next() }, trial.run)
    }

    /// Tries `iterations` files that end early, as a transfer does, and arrive in parts. Otherwise it is like
    /// ``run(iterations:keepingFailuresIn:)``.
    @discardableResult
    public func runGrowing(iterations: Int, keepingFailuresIn folder: URL? = nil) throws -> Counts {
        let trial = GrowingFileTrial(CoderRegistry([coder]), limits: limits)
        return try run(iterations, folder, { $0.nextCut() }, trial.run)
    }

    private func run(
        _ iterations: Int, _ folder: URL?, _ next: (inout FileMutator) -> [UInt8],
        _ trial: ([UInt8], () -> Int) -> CoderTrial.Outcome
    ) throws -> Counts {
        let subject = Subject(coder)
        let iterations = ProcessInfo.processInfo.environment["FUZZ_ITERATIONS"].flatMap { Int($0) } ?? iterations
        guard !seeds.isEmpty else { throw subject.violation("the fuzzer has no seed file") }
        var mutator = FileMutator(seeds, seed: seed)
        var counts = Counts()
        let current = folder?.appending(path: "current.bin")
        for iteration in 0..<iterations {
            let bytes = next(&mutator)
            if let current { try Data(bytes).write(to: current) }
            let outcome = subject.trying("mutated file \(iteration) of seed \(seed)") {
                trial(bytes, { mutator.below(bytes.count / 3 + 2) })
            }
            switch outcome {
            case .accepted: counts.acceptedCount += 1
            case .rejected: counts.rejectedCount += 1
            case .uneven: counts.unevenCount += 1
            case .failed(let sentence):
                try save(bytes, iteration: iteration, in: folder)
                throw subject.violation("mutated file \(iteration) of seed \(seed): \(sentence)")
            }
        }
        if let current, iterations > 0 { try FileManager.default.removeItem(at: current) }
        return counts
    }

    private func save(_ bytes: [UInt8], iteration: Int, in folder: URL?) throws {
        guard let folder else { return }
        try Data(bytes).write(to: folder.appending(path: "failed-\(seed)-\(iteration).bin"))
        try FileManager.default.removeItem(at: folder.appending(path: "current.bin"))
    }
}
