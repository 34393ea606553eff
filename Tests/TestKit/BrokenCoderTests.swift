import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// The kit tells what is wrong with each broken coder, and finds nothing wrong with a sound one.
@Suite struct BrokenCoderTests {
    typealias Check = @Sendable (CoderContract) throws -> Void

    // Made anew each time, because the leak sanitizer does not see what a static `Data` holds.
    private static var file: Data { PlainCoder.file(of: .testCard(20, 18, hasAlpha: true)) }

    private static let checkFile: Check = { try $0.checkFile(file) }

    static let broken: [Broken<Check, any ImageCoder>] = [
        Broken(LyingAboutSize(), "the header says 20×19, the pixels are 20×18", checkFile),
        Broken(LyingAboutAlpha(), "has transparent pixels", checkFile),
        Broken(LyingAboutFrames(), "disagree about durations", checkFile),
        Broken(TakingText(), "it takes plain text", checkFile),
        Broken(TakingText(), "it takes plain text") { try $0.checkRefusals() },
        Broken(IgnoringMemory(), "the limit decodedByteCount is not seen", checkFile),
        Broken(IgnoringTime(), "the limit workSeconds is not seen", checkFile),
        Broken(IgnoringCancellation(), "decoding 20×18 goes on to the end", checkFile),
        Broken(IgnoringTarget(), "it gives 1×1", checkFile),
        Broken(NeverScaling(), "asked for 16×32, it gives 20×18", checkFile),
        Broken(ThrowingForeignErrors(), "that is not an ImageError", checkFile),
        Broken(ThrowingForeignErrorsAtJunk(), "that is not an ImageError") { try $0.checkRefusals() },
        Broken(DecodingAtRandom(), "equal bytes decode differently", checkFile),
        Broken(EncodingAtRandom(), "equal requests give different bytes") { try $0.checkEncoding() },
        Broken(EncodingAtRandom(), "equal requests give different bytes") {
            try $0.checkRoundTrip(.testCard(4, 4), as: .plain)
        },
        Broken(DroppingAlpha(), "came back without it") { try $0.checkEncoding() },
        Broken(DroppingFrames(), "3 frames came back as 1") { try $0.checkEncoding() },
        Broken(EncodingForNobody(), "cancelled, encoding plain goes on to the end") { try $0.checkEncoding() },
        Broken(EncodingWithoutEnd(), "the limit workSeconds is not seen") { try $0.checkEncoding() },
        Broken(NamingFormatsBadly(), "is no media type") { try $0.checkRefusals() },
        Broken(FramesInOrder(), "differs out of turn", checkFile),
        Broken(FramesOfOtherSizes(), "differ in size or alpha", checkFile),
        Broken(PreviewEndingElsewhere(), "ends in another picture", checkFile),
    ]

    @Test(arguments: broken) func isCaught(_ broken: Broken<Check, any ImageCoder>) throws {
        let violation = try #require(throws: ContractViolation.self) { try broken.check(CoderContract(broken.plugin)) }
        #expect(violation.message.contains(broken.sentence), "\(violation)")
        #expect(violation.subject == broken.testDescription)
    }

    @Test func soundOnesPass() throws {
        for coder in [PlainCoder(), SoundFilmCoder(), SoundScalableCoder()] as [any ImageCoder] {
            let contract = CoderContract(coder)
            try contract.checkFile(Self.file)
            try contract.checkRefusals()
            // A film is written as the still that it begins with.
            if !(coder is SoundFilmCoder) { try contract.checkEncoding() }
        }
    }

    @Test func fuzzerFindsBugsThatTheContractMisses() throws {
        let folder = try TemporaryDirectory()
        let seeds = [PlainCoder.file(of: .testCard(6, 5)), Self.file]
        try CoderFuzzer(PlainCoder(), seeds: seeds).run(iterations: 300, keepingFailuresIn: folder.url)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        let fuzzer = CoderFuzzer(FailingNowAndThen(), seeds: seeds)
        let first = #expect(throws: ContractViolation.self) {
            try fuzzer.run(iterations: 5_000, keepingFailuresIn: folder.url)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names.count == 1 && names.allSatisfy { $0.hasPrefix("failed-1-") }, "\(names)")
        let input = try Data(contentsOf: folder.url.appending(path: try #require(names.first)))
        #expect(input.dropFirst(51).first == 0x7F)
        let second = #expect(throws: ContractViolation.self) { try fuzzer.run(iterations: 5_000) }
        #expect(first?.message == second?.message)
    }

    @Test func fuzzerNeedsAFile() {
        #expect(throws: ContractViolation.self) { try CoderFuzzer(PlainCoder(), seeds: []).run(iterations: 1) }
    }
}

/// A plug-in, what the kit is to say about it, and the check that says it.
struct Broken<Check: Sendable, Plugin: Sendable>: Sendable, CustomTestStringConvertible {
    let plugin: Plugin
    let sentence: String
    let check: Check

    init(_ plugin: Plugin, _ sentence: String, _ check: Check) {
        self.plugin = plugin
        self.sentence = sentence
        self.check = check
    }

    var testDescription: String { "\(type(of: plugin as Any))" }
}
