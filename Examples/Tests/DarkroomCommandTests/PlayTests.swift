import Foundation
import Testing

struct PlayTests {
    private static let shows = "\u{1B}[?25h"
    private static let hides = "\u{1B}[?25l"

    @Test func stillIsShownOnceAndRemains() async throws {
        let (status, output) = try await PseudoTerminal(columns: 20, rows: 8)
            .run(["play", Fixture.path("png-rgb-8.png"), "--no-cache"])
        #expect(status == 0)
        #expect(output.contains("▀"))
        #expect(output.contains("\u{1B}[48;2;"))
        #expect(output.numberOf(Self.hides) == 1)
        #expect(output.numberOf(Self.shows) == 1)
        #expect(output.hasSuffix("\u{1B}[?2026l\u{1B}[0m\(Self.shows)"))
    }

    @Test(arguments: [(20, 8), (9, 40), (200, 3)])
    func imagesFitTheTerminal(columns: Int, rows: Int) async throws {
        let (status, output) = try await PseudoTerminal(columns: columns, rows: rows)
            .run(["play", Fixture.path("jpeg-420.jpg"), "--no-cache"])
        let lines = output.shownLines
        #expect(status == 0)
        #expect((1..<rows).contains(lines.count))
        #expect(lines.allSatisfy { (1...columns).contains($0.count) })
        #expect(lines.count == rows - 1 || lines.first?.count == columns || lines.count > 8)
    }

    @Test func outputOtherThanATerminalRequiresAStyle() async throws {
        let run = try await darkroom(
            "play", Fixture.path("jpeg-420.jpg"), "--no-cache", "--style", "blocks", "--width", "7")
        #expect(run.status == 0)
        #expect(String(decoding: run.output, as: UTF8.self).shownLines.allSatisfy { $0.count == 7 })
    }

    @Test(
        arguments: [
            (["/no/such.png"], 1), ([Fixture.path("png-rgb-8.png"), "--limit", "pixelCount=3"], 3),
            (["http://127.0.0.1:1/a.png"], 4),
        ] as [([String], Int32)])
    func failuresDrawNothing(arguments: [String], status: Int32) async throws {
        let run = try await darkroom(["play", "--style", "kitty", "--no-cache"] + arguments)
        #expect(run.status == status)
        #expect(run.output.isEmpty)
        #expect(run.errors.hasPrefix("darkroom: \(arguments[0]): "))
    }
}

extension String {
    /// Returns the number of occurrences of `text`.
    func numberOf(_ text: String) -> Int { components(separatedBy: text).count - 1 }

    /// The half blocks of each line that contains any, without escape sequences.
    fileprivate var shownLines: [String] {
        replacing(/\u{1B}\[[0-9;?]*[A-Za-z]/, with: "").split(whereSeparator: \.isNewline).map(String.init)
            .filter { $0.contains("▀") || $0.contains("▄") }
    }
}
