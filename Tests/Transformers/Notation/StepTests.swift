import DarkroomCore
import DarkroomTestKit
import DarkroomTransformers
import TestSupport
import Testing

typealias Step = TransformNotation.Step
typealias Argument = TransformNotation.Step.Argument

struct StepTests {
    private let notation = TransformNotation()

    @Test(arguments: [
        ("flip", [Step("flip")]),
        (
            "resize:300x200,cover,gravity=top+sharpen",
            [
                Step("resize", [Argument("300x200"), Argument("cover"), Argument("top", name: "gravity")]),
                Step("sharpen"),
            ]
        ),
        ("resize:3x2:cover", [Step("resize", [Argument("3x2"), Argument("cover")])]),
        ("a:%2B%2C%3A%3D%25%2f,x%3D=y=z", [Step("a", [Argument("+,:=%/"), Argument("y=z", name: "x=")])]),
        ("watermark:dir/é 1.png", [Step("watermark", [Argument("dir/é 1.png")])]),
        ("%C3%A9:%F0%9F%96%BC", [Step("é", [Argument("🖼")])]),
        ("a:\u{301}+\u{301}", [Step("a", [Argument("\u{301}")]), Step("\u{301}")]),
    ])
    func textIsParsed(text: String, steps: [Step]) throws {
        #expect(try notation.steps(of: text) == steps)
        let written = steps.map(\.description).joined(separator: "+")
        #expect(try notation.steps(of: written) == steps)
    }

    @Test func specialCharactersAreEscaped() {
        let step = Step("a b", [Argument("+,:=%/#?&é~"), Argument("-1._", name: "x=")])
        #expect(step.description == "a%20b:%2B%2C%3A%3D%25%2F%23%3F%26%C3%A9~,x%3D=-1._")
    }

    @Test(arguments: [
        ("", "the list of transforms is empty"), ("a++b", "the list \"a++b\" contains a transform without a name"),
        ("+", "the list \"+\" contains a transform without a name"),
        ("a:1+:2", "the list \"a:1+:2\" contains a transform without a name"),
        ("a:", "the step \"a:\" contains an argument without a value"),
        ("a:1,,2", "the step \"a:1,,2\" contains an argument without a value"),
        ("a:x=", "the step \"a:x=\" contains an argument without a value"),
        ("a:=1", "the step \"a:=1\" contains an argument without a name"),
        ("a:1%2", "the % in \"1%2\" does not begin an escape; write %25 for a literal %"),
        ("a:%+b", "the % in \"%\" does not begin an escape; write %25 for a literal %"),
        ("%zz", "the % in \"%zz\" does not begin an escape; write %25 for a literal %"),
        ("a:%FF%FE", "the escapes in \"%FF%FE\" are not UTF-8"),
    ])
    func invalidTextIsAnError(text: String, message: String) {
        let error = #expect(throws: ImageError.self) { try notation.steps(of: text) }
        #expect(error?.kind == .unsupported)
        #expect(error?.message == message)
    }

    @Test func lengthAndNumberAreBounded() throws {
        let limit = TransformNotation.stepLimit
        #expect(try notation.steps(of: Array(repeating: "a", count: limit).joined(separator: "+")).count == limit)
        let many = Array(repeating: "a", count: limit + 1).joined(separator: "+")
        #expect(throws: ImageError.self) { try notation.steps(of: many) }
        let long = "a:" + String(repeating: "é", count: (TransformNotation.byteLimit - 2) / 2)
        #expect(try notation.steps(of: long).count == 1)
        let error = #expect(throws: ImageError.self) { try notation.steps(of: long + "b") }
        #expect(error?.kind == .overLimit)
        #expect(error?.message == "the list of transforms has 4097 bytes, and the limit is 4096")
    }

    @Test func hostileTextsAreParsedOrRefused() throws {
        let pieces = [
            "resize", "flip", "crop", ":", ",", "+", "=", "%", "%2B", "%0A", "%00", "%FF", "%1b%5B", "x", "300x200",
            "-", ".",
            "nan", "1e9", "\u{0}", "\u{1B}[2J", "\u{202E}", "\r\n", "é", "\u{301}", "🖼", "#ff0000", "h", " ", "mode",
            "mode=",
        ]
        var random = SeededGenerator(seed: 3)
        var read = 0
        for _ in 0..<2000 {
            let words = (0..<Int.random(in: 0...12, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            let text = words.joined()
            let steps = Result { () throws(ImageError) in try notation.steps(of: text) }
            let made = Result { () throws(ImageError) in try notation.transformers(for: text) }
            if case .success(let steps) = steps {
                read += 1
                #expect(try notation.steps(of: steps.map(\.description).joined(separator: "+")) == steps)
            }
            guard case .failure(let error) = made else { continue }
            #expect(error.message.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && $0 != "\u{202E}" })
            #expect(error.message.count < 400)
        }
        #expect(read > 100)
    }
}
