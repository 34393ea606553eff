import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// The contract catches the defect of each broken coder, and accepts coders without a defect.
@Suite struct BrokenCoderTests {
    typealias Check = @Sendable (CoderContract) throws -> Void

    // Not stored, because the leak sanitizer does not see the memory of a static `Data`.
    private static var file: Data { PlainCoder.file(of: .testCard(20, 18, hasAlpha: true)) }

    private static var lowFile: Data { PlainCoder.file(of: .testCard(64, 3)) }

    private static let checkFile: Check = { try $0.checkFile(file) }

    private static let checkLowFile: Check = { try $0.checkFile(lowFile) }

    private static let checkPixels: Check = {
        try $0.checkPixels(of: file, equal: .testCard(20, 18, hasAlpha: true))
    }

    static let broken: [Broken<Check, any ImageCoder>] = [
        Broken(WrongSizeCoder(), "the header declares 20×19, but the pixels are 20×18", checkFile),
        Broken(WrongAlphaCoder(), "has transparent pixels", checkFile),
        Broken(MissingFrameCoder(), "disagree about durations", checkFile),
        Broken(TextAcceptingCoder(), "it accepts plain text", checkFile),
        Broken(TextAcceptingCoder(), "it accepts plain text") { try $0.checkRefusals() },
        Broken(MemoryLimitIgnoringCoder(), "the limit decodedByteCount is ignored", checkFile),
        Broken(TimeLimitIgnoringCoder(), "the limit workTime is ignored", checkFile),
        Broken(CancellationIgnoringCoder(), "decoding at 20×18 ignores cancellation", checkFile),
        Broken(CancellationIgnoringCoder(), "decoding at 64×3 ignores cancellation", checkLowFile),
        Broken(TimeLimitIgnoringCoder(), "the limit workTime is ignored", checkLowFile),
        Broken(SlowCoder(), "decoding 128 pixels takes") { try $0.checkFile(PlainCoder.file(of: .testCard(16, 8))) },
        Broken(TargetIgnoringCoder(), "returns 1×1", checkFile),
        Broken(UnscaledCoder(), "decoding at 16×32 returns 20×18", checkFile),
        Broken(ForeignErrorCoder(), "that is not an ImageError", checkFile),
        Broken(ForeignJunkErrorCoder(), "that is not an ImageError") { try $0.checkRefusals() },
        Broken(RandomDecodingCoder(), "equal bytes decode differently", checkFile),
        Broken(RandomEncodingCoder(), "equal requests give different bytes") { try $0.checkEncoding() },
        Broken(RandomEncodingCoder(), "equal requests give different bytes") {
            try $0.checkRoundTrip(.testCard(4, 4), as: .plain)
        },
        Broken(AlphaDroppingCoder(), "decodes without it") { try $0.checkEncoding() },
        Broken(FrameDroppingCoder(), "3 frames decode to 1") { try $0.checkEncoding() },
        Broken(CancellationIgnoringEncoder(), "encoding plain ignores cancellation") {
            try $0.checkEncoding()
        },
        Broken(TimeLimitIgnoringEncoder(), "the limit workTime is ignored") { try $0.checkEncoding() },
        Broken(InvalidFormatCoder(), "is not a media type") { try $0.checkRefusals() },
        Broken(OrderDependentFramesCoder(), "differs when decoded out of order", checkFile),
        Broken(MismatchedFramesCoder(), "differ in size or alpha", checkFile),
        Broken(WrongFinalPreviewCoder(), "ends in another image", checkFile),
        Broken(WhiteIntolerantCoder(), "the header of 11 bytes, then 4096 bytes of 255", checkFile),
        Broken(GreedyCoder(), "it accepts the start of a png file") { try $0.checkRefusals() },
        Broken(SwappedSidesCoder(), "the size is 18×20, not 20×18: width and height are swapped", checkPixels),
        Broken(SwappedChannelsCoder(), "differs from the reference: red and blue are swapped", checkPixels),
        Broken(OpaqueCoder(), "the alpha of the pixels is lost", checkPixels),
    ]

    @Test(arguments: broken) func isCaught(_ broken: Broken<Check, any ImageCoder>) throws {
        let violation = try #require(throws: ContractViolation.self) { try broken.check(CoderContract(broken.plugin)) }
        #expect(violation.message.contains(broken.sentence), "\(violation)")
        #expect(violation.subject == broken.testDescription)
    }

    @Test(arguments: broken) func violationNamesItsInput(_ broken: Broken<Check, any ImageCoder>) throws {
        let contract = CoderContract(broken.plugin).naming("cat.plain")
        let violation = try #require(throws: ContractViolation.self) { try broken.check(contract) }
        // Violations without an input are about none, or tell it.
        let inputs = ["cat.plain", " as plain", "accepts", "ends in", "is not a media type"]
        #expect(inputs.contains { violation.description.contains($0) }, "\(violation)")
    }

    @Test func fileWithoutANameIsNamedByItsLength() throws {
        let violation = try #require(throws: ContractViolation.self) {
            try CoderContract(WrongSizeCoder()).checkInfo(Self.file)
        }
        #expect(violation.input == "a file of 1451 bytes")
        #expect("\(violation)" == "WrongSizeCoder: a file of 1451 bytes: \(violation.message)")
    }

    @Test func speedIsAValue() throws {
        let speed = try CoderContract(PlainCoder()).speed(of: Self.file)
        #expect(speed.pixelCount == 360)
        #expect(speed.processorTime > .zero && speed.timePerPixel == speed.processorTime / 360)
        // Less than nothing is left of the time that every file may take.
        #expect(throws: ContractViolation.self) {
            try CoderContract(PlainCoder()).checkSpeed(Self.file, timePerPixel: .milliseconds(-1))
        }
    }

    @Test func soundCodersPass() throws {
        for coder in [PlainCoder(), SoundFilmCoder(), SoundScalableCoder(), SoundSignaturelessCoder()]
            as [any ImageCoder]
        {
            let contract = CoderContract(coder)
            try contract.checkFile(Self.file)
            try contract.checkRefusals()
            // A film is encoded as a still image of its first frame.
            if !(coder is SoundFilmCoder) { try contract.checkEncoding() }
        }
    }

    @Test func fuzzerFindsBugsThatTheContractMisses() throws {
        let folder = try TemporaryDirectory()
        let seeds = [PlainCoder.file(of: .testCard(6, 5)), Self.file]
        try CoderFuzzer(PlainCoder(), seeds: seeds).run(iterations: 300, keepingFailuresIn: folder.url)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
        let fuzzer = CoderFuzzer(RarelyFailingCoder(), seeds: seeds)
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

    /// A trap ends the process, so that only its standard error names the input.
    @Test func inputOfATrapIsPrinted() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let file = PlainCoder.file(of: .testCard(20, 18, hasAlpha: true))
            try CoderContract(TrappingCoder()).checkFile(file, named: "card.plain")
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("TrappingCoder: card.plain, the first 8 of 1451 bytes"), "\(text)")
    }

    @Test func fuzzerNeedsAFile() {
        #expect(throws: ContractViolation.self) { try CoderFuzzer(PlainCoder(), seeds: []).run(iterations: 1) }
    }
}

/// A broken plug-in, the sentence expected in its violation, and the check that throws it.
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
