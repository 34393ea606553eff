import Console
import Darkroom
import DarkroomTestKit
import Foundation
import Testing

@testable import DarkroomCommand

/// Arbitrary text in arguments and lists.
@Suite(.bounded)
struct HostileArgumentTests {
    @Test func arbitraryArgumentsAreParsedOrRejected() {
        var mutator = TextMutator(
            [
                "180x120", "pixelCount=1000000", "Accept: image/*", "a.test=b.test", "#ff80ff", "white",
                "https://a.test/b",
            ],
            seed: 91)
        for _ in 0..<4000 {
            let text = mutator.next()
            if let size = Bounds(argument: text)?.pixelSize {
                #expect(size.width >= 0 && size.height >= 0 && max(size.width, size.height) > 0)
            }
            if let limit = Limit(argument: text) {
                var limits = DecodeLimits.default
                limit.apply(to: &limits)
            }
            if let field = HeaderField(argument: text) {
                #expect(!field.name.isEmpty && !field.value.utf8.contains(10))
            }
            if let pair = HostPair(argument: text) { #expect(!pair.from.isEmpty && !pair.to.isEmpty) }
            if let background = Background(argument: text) { #expect(background.color.alpha == 255) }
            if let source = Source(argument: text) { #expect(source.shownText.unicodeScalars.count <= 1100) }
        }
        for unit in ["x", "=", ":", "#", "\u{301}"] {
            let text = TextMutator.longText(repeating: unit)
            #expect(Bounds(argument: text) == nil && Limit(argument: text) == nil && Background(argument: text) == nil)
            #expect((Source(argument: "://" + text)?.shownText.unicodeScalars.count ?? 0) <= 1100)
        }
    }

    @Test func separatorsAreFoundBeforeCombiningMarks() throws {
        #expect(Bounds(argument: "3x\u{301}2") == nil)
        #expect(try #require(HeaderField(argument: "a:\u{301}b")).name == "a")
        #expect(HeaderField(argument: "a: b\r\nc: d") == nil)
        #expect(try #require(HostPair(argument: "a=\u{301}b")).from == "a")
    }

    @Test func linesOfArbitraryListsAreSources() async throws {
        try await withTemporaryDirectory { folder in
            let file = folder.appending(path: "list")
            var mutator = TextMutator(["a.png\n# no\n\n https://a.test/b \r\n", "c.png\r\n"], seed: 92)
            for number in 0..<200 {
                let bytes = mutator.nextBytes()
                try Data(bytes).write(to: file)
                let separator: SourceList.Separator = number.isMultiple(of: 2) ? .lineBreak : .zeroByte
                let list = try SourceList(path: file.path, separator: separator)
                while let source = await list.next() {
                    #expect(!source.text.isEmpty)
                    if separator == .lineBreak {
                        #expect(!source.text.utf8.contains(10) && source.text.utf8.first != 35)
                    }
                }
                #expect(list.failure == nil)
            }
            try Data("a.png\r\n#\u{301}x\n \u{301}b\n".utf8).write(to: file)
            let list = try SourceList(path: file.path)
            #expect(await list.next()?.text == "a.png")
            #expect(await list.next()?.text == "\u{301}b")
            #expect(await list.next() == nil)
        }
    }
}
