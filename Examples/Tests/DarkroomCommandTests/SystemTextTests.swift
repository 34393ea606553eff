import Console
import Darkroom
import DarkroomTestKit
import Foundation
import Testing

/// Names of files need not be valid UTF-8.
@Suite(.bounded)
struct SystemTextTests {
    @Test func arbitraryBytesSurviveAsText() {
        var mutator = TextMutator(["photo é.png", "日本/👩‍👩‍👧.jpg", "a\u{10FEE9}\u{10FEFF}b"], seed: 95)
        for _ in 0..<4000 {
            let bytes = mutator.nextBytes()
            let text = String(systemBytes: bytes)
            #expect(text.systemBytes == bytes)
            #expect(text.hasSystemBytes || text == String(decoding: bytes, as: UTF8.self))
            #expect(!text.printable.unicodeScalars.contains { $0.isUnprintable || $0.systemByte != nil })
            #expect(!text.percentEncodingSystemBytes.hasSystemBytes)
        }
        let long = String(systemBytes: Array(repeating: UInt8(0xE9), count: 1 << 20))
        #expect(long.systemBytes.count == 1 << 20)
    }

    @Test(
        arguments: [
            ([0x61, 0xE9], "a\\xe9"), ([0xC3, 0xA9], "é"), ([0xC3], "\\xc3"), ([0xED, 0xA0, 0x80], "\\xed\\xa0\\x80"),
            ([0xF4, 0x8F, 0xBB, 0xA9], "\\xf4\\x8f\\xbb\\xa9"), ([0xC0, 0xAF], "\\xc0\\xaf"),
        ] as [([UInt8], String)])
    func invalidBytesAreShownAsEscapes(bytes: [UInt8], shown: String) {
        #expect(String(systemBytes: bytes).printable == shown)
    }

    @Test(
        arguments: [
            (Array("http://a.test/caf".utf8) + [0xE9], "http://a.test/caf%E9"),
            (Array("/a ".utf8) + [0xE9], "file:///a%20%E9"),
            (Array("file:///%41".utf8) + [0xE9], "file:///%41%E9"),
        ] as [([UInt8], String)])
    func sourcesKeepInvalidBytesInTheirURL(bytes: [UInt8], url: String) throws {
        #expect(try #require(Source(argument: String(systemBytes: bytes))).url?.absoluteString == url)
    }

    @Test func invalidNamesWorkForInputsOutputsAndLists() async throws {
        try await withTemporaryDirectory { folder in
            let command = Process.built("darkroom").path
            let run = try await bash(
                """
                cd '\(folder.path)' && mkdir $'d\\xe9' && cp '\(Fixture.path("png-3x5.png"))' $'d\\xe9/a\\xff b.png' &&
                '\(command)' load --no-cache $'d\\xe9/a\\xff b.png' --output $'o\\xe9/p\\xe9/' &&
                '\(command)' frames --no-cache $'o\\xe9/p\\xe9/a\\xff b.png' --output $'f\\xe9' &&
                cd $'f\\xe9' && printf '%s\\n' $'../d\\xe9/a\\xff b.png' $'a\\xff b-0001-0.000s.png' >list &&
                '\(command)' prefetch list --cache ../c --thumbnail 2x2 && tr '\\n' '\\0' <list | '\(command)' prefetch -0 - --cache ../c --thumbnail 2x2 &&
                '\(command)' cache remove $'../d\\xe9/a\\xff b.png' --cache ../c --json && LC_ALL=C ls -b ..
                """)
            #expect(run.status == 0, "\(run.errors)")
            let starts = [
                "d\\xe9/a\\xff b.png ", "f\\xe9/a\\xff b-0001-0.000s.png ", "2 finished, 0 failed, 0 already cached",
                "2 finished, 0 failed, 2 already cached", "{\"directory\":", "c", "d\\351", "f\\351", "o\\351",
            ]
            #expect(
                run.lines.count == starts.count && zip(run.lines, starts).allSatisfy { $0.hasPrefix($1) },
                "\(run.lines)")
            #expect(run.lines.contains { $0.hasSuffix(",\"removed\":1}") })
        }
    }
}
