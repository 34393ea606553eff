import DarkroomTestKit
import Foundation
import Testing

struct CompletionTests {
    @Test func bashAcceptsTheScript() async throws {
        try await withTemporaryDirectory { folder in
            let script = try await script(for: "bash", in: folder)
            #expect(try await bash("bash -n '\(script)'").status == 0)
        }
    }

    @Test(
        arguments: [
            ("pre", ["prefetch"]), ("cache ver", ["verify"]), ("cache rem", ["remove"]),
            ("load --dry", ["--dry-run"]), ("load --form", ["--format"]), ("load --format we", ["webp"]),
            ("load --limit pix", ["pixelCount="]), ("load --transform roun", ["roundCorner"]),
            ("load --transform blur+roun", ["blur+roundCorner"]), ("play --style bl", ["blocks"]),
        ])
    func bashCompletes(words: String, expected: [String]) async throws {
        try await withTemporaryDirectory { folder in
            let run = try await bash(
                """
                . '\(try await script(for: "bash", in: folder))'
                PATH="\(Self.programs):$PATH"
                COMP_LINE='darkroom \(words)'
                COMP_POINT=${#COMP_LINE}
                COMP_WORDS=($COMP_LINE)
                COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
                _darkroom darkroom "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}" 2> /dev/null
                printf '%s\\n' "${COMPREPLY[@]}"
                """)
            #expect(run.lines.map { $0.trimmingCharacters(in: .whitespaces) } == expected)
        }
    }

    @Test func imagesAndFoldersAreCompleted() async throws {
        try await withTemporaryDirectory { folder in
            for name in ["a.jpg", "a.txt"] { try Data().write(to: folder.appending(path: name)) }
            let run = try await bash(
                """
                . '\(try await script(for: "bash", in: folder))'
                cd '\(folder.path)'
                COMP_LINE='darkroom info a'
                COMP_POINT=${#COMP_LINE}
                COMP_WORDS=(darkroom info a)
                COMP_CWORD=2
                _darkroom darkroom a info 2> /dev/null
                printf '%s\\n' "${COMPREPLY[@]}"
                """)
            #expect(run.lines == ["a.jpg"])
        }
    }

    @Test(arguments: ["zsh", "fish"])
    func otherShellsHaveAScript(shell: String) async throws {
        try await withTemporaryDirectory { folder in
            let script = try String(contentsOfFile: try await script(for: shell, in: folder), encoding: .utf8)
            #expect(script.contains("prefetch") && script.contains("transform"))
        }
    }

    private static let programs = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().path

    private func script(for shell: String, in folder: URL) async throws -> String {
        let run = try await darkroom("--generate-completion-script", shell)
        #expect(run.status == 0)
        let file = folder.appending(path: "completions.\(shell)")
        try run.output.write(to: file)
        return file.path
    }
}

/// Runs a bash that reads no configuration.
func bash(_ text: String) async throws -> Run {
    try await run(URL(filePath: "/bin/bash"), arguments: ["--norc", "--noprofile", "-c", text])
}
