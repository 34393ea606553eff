import Testing

struct VersionTests {
    @Test func versionIsPrintedOnItsOwn() async throws {
        let run = try await darkroom("--version")
        #expect(run.status == 0)
        #expect(run.lines.count == 1 && run.lines.first?.wholeMatch(of: /\d+\.\d+\.\d+/) != nil)
    }

    @Test func verboseVersionListsLibraries() async throws {
        let run = try await darkroom("--version", "--verbose")
        #expect(run.status == 0)
        #expect(run.lines.first?.hasPrefix("darkroom ") == true)
        let libraries = run.lines.dropFirst().joined(separator: ", ")
        for name in ["libpng", "libdeflate", "libjpeg-turbo", "giflib", "libwebp", "lcms2"] {
            #expect(libraries.contains(try Regex("\\b\(name) [0-9]+\\.[0-9]+")))
        }
    }

    @Test func verboseAloneIsAUsageError() async throws {
        #expect(try await darkroom("--verbose").status == 2)
    }

    @Test func withoutACommandHelpIsShown() async throws {
        let run = try await darkroom()
        #expect(run.status == 0)
        #expect(run.lines.contains("SUBCOMMANDS:"))
    }
}
