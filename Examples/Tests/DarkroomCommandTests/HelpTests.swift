import ArgumentParser
import Testing

@testable import DarkroomCommand

struct HelpTests {
    /// All commands, with the words that invoke each.
    private static let commands = all(RootCommand.self, words: ["darkroom"])

    @Test func commandsAreFound() { #expect(Self.commands.count >= 19) }

    @Test(arguments: commands.map(\.words))
    func everyCommandHasValidExamples(words: [String]) throws {
        let command = try #require(Self.commands.first { $0.words == words }?.command)
        let examples = Self.examples(of: command)
        #expect(!examples.isEmpty)
        for example in examples {
            #expect(example.count <= 76, "the example would be wrapped: \(example)")
            let lines = Self.commandLines(in: example).filter { $0.first == "darkroom" }
            #expect(!lines.isEmpty)
            for line in lines {
                #expect(throws: Never.self, "\(example)") {
                    let parsed = try RootCommand.parseAsRoot(Array(line.dropFirst()))
                    let isGroup = !command.configuration.subcommands.isEmpty
                    #expect(isGroup || command._commandName == type(of: parsed)._commandName)
                }
            }
        }
    }

    @Test func helpShowsTheExamples() async throws {
        let run = try await darkroom("load", "--help")
        #expect(run.status == 0)
        #expect(run.lines.contains("EXAMPLES:"))
        #expect(run.lines.contains("  darkroom load photo.jpg --thumbnail 180x120 --output thumbnails/"))
    }

    private static func all(
        _ command: any ParsableCommand.Type, words: [String]
    ) -> [(words: [String], command: any ParsableCommand.Type)] {
        [(words, command)] + command.configuration.subcommands.flatMap { all($0, words: words + [$0._commandName]) }
    }

    private static func examples(of command: any ParsableCommand.Type) -> [String] {
        command.configuration.discussion.split(separator: "\n").drop { $0 != String.examplesHeading }.dropFirst()
            .map { String($0.drop { $0 == " " }) }
    }

    /// Returns the commands of a pipe as words. Quotes are supported if they enclose whole words.
    private static func commandLines(in example: String) -> [[String]] {
        example.split(separator: "'", omittingEmptySubsequences: false).enumerated().flatMap { index, part in
            index.isMultiple(of: 2) ? part.split(separator: " ").map(String.init) : [String(part)]
        }.split(separator: "|").map(Array.init)
    }
}
