@testable import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

/// The building blocks of parsers.
@Suite(.bounded)
struct TextTests {
    @Test(arguments: [
        ("", [""]), (",", ["", ""]), ("a,\u{301}b", ["a", "\u{301}b"]), ("a\r\n,b\u{37E}", ["a\r\n", "b\u{37E}"]),
    ])
    func fieldsAreSplitAtBytes(_ text: String, _ fields: [String]) {
        let found = text.fields(separatedBy: UInt8(ascii: ","))
        #expect(found.map { Array($0.utf8) } == fields.map { Array($0.utf8) })
    }

    @Test(arguments: [("", ""), (" \t ", ""), (" a b\t", "a b"), (" \u{301} ", "\u{301}"), ("\n a \r\n", "\n a \r\n")])
    func blanksAreTrimmed(_ text: String, _ trimmed: String) {
        #expect(text.trimmed.hasBytes(of: trimmed))
    }

    @Test func caseIsFoldedInASCIIOnly() {
        #expect("AZ[`\u{212A}\u{130}É".asciiLowercased.hasBytes(of: "az[`\u{212A}\u{130}É"))
        #expect("DaTa:,".isDataURL && !"data\u{1A},".isDataURL && !"dat".isDataURL)
        #expect(!"\u{212A}".hasBytes(of: "K") && "\u{212A}" == "K")
        #expect(" Image/PNG ; charset=x".mediaType == "image/png")
        #expect("image/png\u{37E}q".mediaType == "image/png\u{37E}q")
    }

    @Test(
        arguments: [
            ("0", 0), ("0012", 12), ("9223372036854775807", Int.max), ("9223372036854775808", nil), ("", nil),
            ("+1", nil),
            ("-1", nil), ("1_0", nil), ("\u{FF11}", nil), ("1\u{301}", nil),
        ] as [(String, Int?)])
    func numbersAreDigits(_ text: String, _ number: Int?) {
        #expect(Int(decimal: text) == number)
    }

    @Test(arguments: [
        ("a%20b", "a b"), ("%", "%"), ("%4", "%4"), ("%4g%41", "%4gA"), ("%25%32%30", "%20"), ("%E2%84%AA", "\u{212A}"),
        ("%%41", "%A"), ("%ff", "\u{FFFD}"),
    ])
    func escapesAreDecodedOnce(_ text: String, _ decoded: String) {
        #expect(text.percentDecoded.hasBytes(of: decoded))
    }

    @Test func everyEscapedByteRoundTrips() {
        for byte in UInt8.min ... .max {
            var escape: [UInt8] = []
            escape.appendPercentEscape(of: byte)
            #expect([UInt8](percentDecoding: String(decoding: escape, as: UTF8.self)) == [byte])
            #expect(String(decoding: escape, as: UTF8.self).dropFirst().lowercased() == [byte].hexadecimalText)
        }
    }

    @Test func decodingEscapesNeverAddsBytes() {
        var mutator = TextMutator(["/a%20b/%C3%A9.png", "%25%", "%e2%82%ac"], seed: 4)
        for _ in 0..<4000 {
            let text = mutator.next()
            #expect([UInt8](percentDecoding: text).count <= text.utf8.count)
        }
        let long = TextMutator.longText(repeating: "%41")
        #expect([UInt8](percentDecoding: long).count == long.utf8.count / 3)
    }

    @Test func mutatedTextsAreReproducible() {
        var (one, other) = (TextMutator(["a=1, b"], seed: 5), TextMutator(["a=1, b"], seed: 5))
        for _ in 0..<200 { #expect(one.next().hasBytes(of: other.next()) && one.nextBytes() == other.nextBytes()) }
    }
}
