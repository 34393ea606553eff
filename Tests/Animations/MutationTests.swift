import DarkroomCore
import DarkroomGIF
import DarkroomJPEG
import DarkroomTestKit
import DarkroomPNG
import DarkroomWebP
import FoundationEssentials
import TestSupport
import Testing

/// A short run of `mutate` of the package Fuzz.
@Suite struct MutationTests {
    private let registry = CoderRegistry([JPEGCoder(), PNGCoder(), GIFCoder(), WebPCoder()])

    @Test(arguments: [ImageFormat.jpeg, .png, .gif, .webp])
    func mutatedFilesResultInAnImageOrAnError(_ format: ImageFormat) {
        let stills = (Fixture.all(of: format) + Fixture.broken(of: format)).map(\.data)
        let files = stills + AnimatedFixture.all(of: format).map(\.data)
        let small = files.filter { (1..<8_000).contains($0.count) }.map { [UInt8]($0) }
        var mutator = FileMutator(small, seed: 7)
        let trial = CoderTrial(registry)
        var outcomes: [CoderTrial.Outcome] = []
        for index in 0..<500 {
            let bytes = mutator.next()
            let outcome = trial.run(bytes) { mutator.below(bytes.count / 3 + 2) }
            if case .failed(let sentence) = outcome { Issue.record("variant \(index): \(sentence)") }
            outcomes.append(outcome)
        }
        // Both outcomes must occur; otherwise the mutator changes too much or too little.
        #expect(outcomes.contains(.accepted))
        #expect(outcomes.contains(.rejected))
    }

    /// A short run of `mutate --growing`.
    @Test(arguments: [ImageFormat.jpeg, .png, .gif, .webp])
    func filesThatEndEarlyGiveTheSameInPartsAsAtOnce(_ format: ImageFormat) {
        let stills = (Fixture.all(of: format) + Fixture.broken(of: format)).map(\.data)
        let files = stills + AnimatedFixture.all(of: format).map(\.data)
        let small = files.filter { (1..<8_000).contains($0.count) }.map { [UInt8]($0) }
        var mutator = FileMutator(small, seed: 11)
        let trial = GrowingFileTrial(registry)
        var outcomes: [CoderTrial.Outcome] = []
        for index in 0..<400 {
            let bytes = mutator.nextCut()
            let outcome = trial.run(bytes) { mutator.below(bytes.count / 3 + 2) }
            switch outcome {
            case .failed(let sentence), .uneven(let sentence): Issue.record("file \(index): \(sentence)")
            case .accepted, .rejected: outcomes.append(outcome)
            }
        }
        #expect(outcomes.contains(.accepted) && outcomes.contains(.rejected))
    }

    @Test func fuzzerTriesFilesThatEndEarly() throws {
        let seeds = Fixture.all(of: .gif).map(\.data)
        let fuzzer = CoderFuzzer(GIFCoder(), seeds: seeds, seed: 5)
        let counts = try fuzzer.runGrowing(iterations: 100)
        #expect(counts.acceptedCount + counts.rejectedCount == 100 && counts.unevenCount == 0)
        #expect(counts.acceptedCount > 0 && counts.rejectedCount > 0)
        #expect(try fuzzer.runGrowing(iterations: 100) == counts)
    }

    @Test func secondPNGHeaderDoesNotChangeTheCanvas() throws {
        let header: [UInt8] = [
            0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 6, 0, 0, 0, 0x1F, 0x15, 0xC4, 0x89,
        ]
        let data = AnimatedFixture("apng-first-smaller.png").data
        // Before the last chunk.
        let changed = Data(data.dropLast(12) + header + data.suffix(12))
        guard let info = try? registry.info(of: changed) else { return }
        let whole = try registry.info(of: data)
        try #require(info == whole)
        let frames = try registry.decode(changed).animation?.frames()
        #expect(frames?.map(\.bitmap) == (try registry.decode(data).animation?.frames().map(\.bitmap)))
    }

    @Test func equalSeedsProduceEqualFiles() {
        let files = Fixture.all(of: .gif).map { [UInt8]($0.data) }
        var (one, other) = (FileMutator(files, seed: 3), FileMutator(files, seed: 3))
        for _ in 0..<50 { #expect(one.next() == other.next()) }
    }
}
