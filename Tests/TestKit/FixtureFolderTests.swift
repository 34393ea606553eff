import DarkroomTestKit
import FoundationEssentials
import Testing

@Suite struct FixtureFolderTests {
    @Test func folderThatMatchesNothingIsAViolation() throws {
        let folder = try TemporaryDirectory()
        let fixtures = FixtureFolder(folder.url)
        #expect(fixtures.isEmpty)
        _ = try folder.write(Data(), to: "README.md")
        #expect(fixtures.isEmpty)
        _ = try folder.write(Data(), to: "cat.tgaa")
        #expect(!fixtures.isEmpty)
        let violation = try #require(throws: ContractViolation.self) { try fixtures.files(withExtension: "tga") }
        #expect("\(violation)" == "FixtureFolder: \(folder.url.path): there are no files with the extension .tga")
        _ = try folder.write(Data(), to: "b.tga")
        _ = try folder.write(Data(), to: "a.tga")
        #expect(try fixtures.files(withExtension: "tga").map(\.lastPathComponent) == ["a.tga", "b.tga"])
    }

    @Test func missingFolderIsAViolation() throws {
        let fixtures = FixtureFolder(URL(filePath: "/no/such"))
        #expect(!fixtures.isEmpty)
        #expect(throws: ContractViolation.self) { try fixtures.files(withExtension: "tga") }
    }
}
