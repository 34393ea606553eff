import Foundation
import Testing

@testable import DarkroomCommand

struct ProgressLineTests {
    private static let lines = [
        ProgressLine(doneCount: 1.5, finishedCount: 1, sourceCount: 3, byteCount: 4_100),
        ProgressLine(doneCount: 99_999, finishedCount: 99_999, sourceCount: 100_000, byteCount: 999_900_000),
        ProgressLine(doneCount: 0, finishedCount: 0, sourceCount: 0, byteCount: nil),
        ProgressLine(doneCount: 7, finishedCount: 7, sourceCount: nil, byteCount: 12_300_000),
    ]

    @Test(arguments: lines.indices)
    func lineNeverWraps(index: Int) {
        let widths = (1...200).map { Self.lines[index].text(columns: $0).count }
        for (columns, width) in zip(1..., widths) { #expect(width < columns) }
        #expect(widths == widths.sorted())
    }

    @Test(arguments: [
        (80, "███████████████░░░░░░░░░░░░░░░ 50 %  1/3  4.1 kB"), (40, "██████████░░░░░░░░░░░ 50 %  1/3  4.1 kB"),
        (22, "50 %  1/3  4.1 kB"), (12, "50 %  1/3"), (6, "50 %"),
    ])
    func barIsShortenedBeforeTheTextIs(columns: Int, text: String) {
        #expect(Self.lines[0].text(columns: columns) == text)
    }

    @Test(arguments: [20, 40, 80])
    func progressFitsIntoTheTerminal(columns: Int) async throws {
        let sources = Array(repeating: Fixture.path("png-rgb-8.png"), count: 20)
        let (status, output) = try await PseudoTerminal(columns: columns, rows: 24)
            .run(["load", "--no-cache", "--jobs", "1"] + sources)
        #expect(status == 0)
        let bars = output.components(separatedBy: "\r").filter { $0.contains(" %") }
            .map { $0.prefix { $0 != "\u{1B}" } }
        #expect(!bars.isEmpty && bars.allSatisfy { $0.count < columns }, "\(bars)")
    }
}
