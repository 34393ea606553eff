import DarkroomTestKit
import Foundation
import Testing

struct ManualTests {
    @Test func manualPageIsCompleteAndValid() async throws {
        try await withTemporaryDirectory { folder in
            let page = try await manual(in: folder)
            let text = try String(contentsOf: page, encoding: .utf8)
            for command in ["load", "prefetch", "doctor", "cache ls", "cache warm"] {
                #expect(text.contains(".SS \"\(command)\""))
            }
            // groff is not installed on every machine.
            guard FileManager.default.fileExists(atPath: "/usr/bin/groff") else { return }
            let run = try await bash("groff -man -Tutf8 -ww -z '\(page.path)' 2>&1")
            #expect(run.status == 0)
            #expect(run.lines.isEmpty)
        }
    }

    @Test func dateIsConfigurable() async throws {
        try await withTemporaryDirectory { folder in
            let text = try String(contentsOf: try await manual(in: folder), encoding: .utf8)
            #expect(text.hasPrefix(".TH DARKROOM 1 1970-01-02 \"Darkroom "))
        }
    }

    private func manual(in folder: URL) async throws -> URL {
        let script = URL(filePath: Fixture.folder).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Scripts/man-page")
        let page = folder.appending(path: "darkroom.1")
        let run = try await bash(
            "SOURCE_DATE_EPOCH=86400 '\(script.path)' '\(Process.built("darkroom").path)' > '\(page.path)'")
        #expect(run.status == 0, "\(run.errors)")
        return page
    }
}
