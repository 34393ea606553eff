import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

@testable import DarkroomTransformers

/// A list of transforms may come from a URL, so it may contain anything.
@Suite(.bounded)
struct HostileNotationTests {
    private let notation = TransformNotation(images: { _ in try Bitmap(PixelSize(1, 1), hasAlpha: false) { _ in } })

    @Test func anyTextIsAListOrAReadableError() {
        let examples = TransformNotation.entries.map(\.form.example)
        var mutator = TextMutator(
            examples + ["resize:300x200,cover,gravity=top+sharpen", "crop:0,0,50,50+flip:h"], seed: 21)
        for _ in 0..<4000 {
            let text = mutator.next()
            do throws(ImageError) {
                let canonical = try notation.canonical(text)
                #expect(try notation.canonical(canonical).hasBytes(of: canonical))
                #expect(
                    try notation.transformers(for: text).map(\.identifier)
                        == notation.transformers(for: canonical).map(\.identifier))
                #expect(canonical.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            } catch {
                #expect(
                    error.message.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F..<0xA0).contains($0.value) })
                #expect(error.message.utf8.count < 1000)
            }
        }
    }

    @Test(arguments: ["resize:3\u{FF11}x2", "sharpen\u{301}", "blac\u{212A}", "canvas:4x3,background=blac\u{212A}"])
    func confusableTextsAreNotNames(_ text: String) {
        #expect(throws: ImageError.self) { try notation.canonical(text) }
    }

    @Test func sidesAreSplitWhateverStandsBehindTheSign() throws {
        #expect(throws: ImageError.self) { try notation.canonical("thumbnail:3x\u{301}2") }
        #expect(try notation.canonical("thumbnail:3×2") == "thumbnail:3x2")
    }

    @Test(arguments: ["+", "a+", "a:", ",", "%41", "\u{301}", "="])
    func excessiveLengthIsRefusedBeforeParsing(_ unit: String) {
        let error = #expect(throws: ImageError.self) {
            try notation.steps(of: TextMutator.longText(repeating: unit))
        }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("\(TransformNotation.byteLimit)") == true)
    }

    @Test func numberOfStepsIsBounded() throws {
        let most = Array(repeating: "invert", count: TransformNotation.stepLimit)
        #expect(try notation.transformers(for: most.joined(separator: "+")).count == TransformNotation.stepLimit)
        let error = #expect(throws: ImageError.self) {
            try notation.steps(of: (most + ["invert"]).joined(separator: "+"))
        }
        #expect(error?.kind == .overLimit)
        #expect(error?.message == "the list has 33 transforms, and the limit is 32")
    }
}
