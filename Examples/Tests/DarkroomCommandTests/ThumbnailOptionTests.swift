import ArgumentParser
import Darkroom
import Testing

@testable import DarkroomCommand

/// The options that select a thumbnail.
struct ThumbnailOptionTests {
    private func thumbnail(_ arguments: [String]) throws -> Thumbnail? {
        try VariantOptions.parse(arguments).context.thumbnail
    }

    @Test(
        arguments: [
            ("-s 300x200", .fit(300, 200)), ("--size 300x", .fit(width: 300)), ("--thumbnail x200", .fit(height: 200)),
            ("-s 300", .fit(300, 300)), ("-s 3x2 --stretch", .stretch(3, 2)), ("-s 3 --cover", .cover(3, 3)),
            ("-s 3x2 --cover --gravity top", .cover(3, 2, focus: .top)),
            ("-s 3x2 --cover --gravity North-West", .cover(3, 2, focus: .init(x: 0, y: 0))),
            ("-s 3x2 --cover --focus 0.3x0.7", .cover(3, 2, focus: .init(x: 0.3, y: 0.7))),
            (
                "-s 3x2 --cover --focus 0.3,0.7 --linear",
                .cover(3, 2, focus: .init(x: 0.3, y: 0.7), inLinearLight: true)
            ),
            ("-s x2 --linear", .fit(height: 2, inLinearLight: true)), ("", nil),
        ] as [(String, Thumbnail?)])
    func optionsSelectAThumbnail(arguments: String, expected: Thumbnail?) throws {
        #expect(try thumbnail(arguments.split(separator: " ").map(String.init)) == expected)
    }

    @Test(arguments: [
        "-s x", "-s 0x5", "-s 5x5x5", "-s ax3", "-s infx3", "--cover", "--stretch", "--linear", "--gravity top",
        "-s 3 --gravity top", "-s 3 --focus 0x0", "-s 3 --cover --gravity up", "-s 3 --cover --focus 2x0",
        "-s 3 --cover --focus 0.5", "-s 3 --cover --gravity top --focus 0x0", "-s 3 --cover --stretch", "-s 3x --cover",
        "-s x3 --stretch",
    ])
    func otherOptionsAreRefused(arguments: String) {
        #expect(throws: (any Error).self) { try thumbnail(arguments.split(separator: " ").map(String.init)) }
    }
}
