import Darkroom
import Foundation
import Testing

@testable import DarkroomCommand

struct TransformsCommandTests {
    private let forms = TransformNotation.entries.map(\.form)

    @Test func everyTransformIsListedWithItsParameters() async throws {
        let run = try await darkroom("transforms")
        #expect(run.status == 0)
        #expect(run.lines.contains("  size         WxH, Wx or xH; required"))
        #expect(run.lines.contains("               resize:300x200,cover,gravity=top"))
        #expect(run.lines.contains("  mode         stretch, fit or cover; default stretch"))
        #expect(run.lines.contains("  radius       0 to 16384 pixels; required"))
        #expect(run.lines.filter { !$0.hasPrefix(" ") }.map { $0.prefix { $0 != " " } } == forms.map { $0.name[...] })
    }

    @Test func linesAreWrappedAtTheTerminalWidth() {
        let lines = TransformTable(forms, columns: 60).lines
        #expect(lines.allSatisfy { $0.count <= 60 })
        let unbroken = TransformTable(forms, columns: nil).lines
        #expect(lines.count > unbroken.count)
        func words(_ lines: [String]) -> [Substring] { lines.flatMap { $0.split(separator: " ") } }
        #expect(words(lines) == words(unbroken))
    }

    @Test func jsonHasRangesAndDefaults() async throws {
        let objects = try await darkroom("transforms", "--json").objects
        #expect(objects.map { $0["name"] as? String } == forms.map(\.name))
        let sharpen = try #require(objects.first { $0["name"] as? String == "sharpen" })
        #expect(Set(sharpen.keys) == ["name", "aliases", "summary", "example", "parameters"])
        let amount = try #require((sharpen["parameters"] as? [[String: Any]])?.first)
        #expect(amount["name"] as? String == "amount" && amount["type"] as? String == "number")
        #expect(amount["minimum"] as? Double == 0 && amount["maximum"] as? Double == 100)
        #expect(amount["default"] as? String == "1" && amount["required"] as? Bool == false)
        #expect(amount["words"] is NSNull && amount.count == 7)
    }
}
