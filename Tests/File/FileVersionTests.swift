import DarkroomCore
import DarkroomFile
import DarkroomTestKit
import FoundationEssentials
import Testing

struct FileVersionTests {
    private let loader = FileLoader()

    @Test func versionIsStableWhileTheFileIsUnchanged() async throws {
        let folder = try TemporaryDirectory()
        let url = try folder.write(Data([1]), to: "a.png")
        let version = try #require(loader.localVersion(of: url)?.read())
        #expect(loader.localVersion(of: url)?.read() == version)
        #expect(version.split(separator: ":").count == 4)
    }

    @Test func versionChangesWithSizeTimeAndFile() async throws {
        let folder = try TemporaryDirectory()
        let url = try folder.write(Data([1]), to: "a.png")
        var versions = [loader.localVersion(of: url)?.read()]
        try folder.write(Data([1, 2]), to: "a.png")
        versions.append(loader.localVersion(of: url)?.read())
        let date = Date(timeIntervalSince1970: 1_000_000_000)
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: url.path)
        versions.append(loader.localVersion(of: url)?.read())
        let other = try folder.write(Data([1, 2]), to: "b.png")
        try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: other.path)
        versions.append(loader.localVersion(of: other)?.read())
        #expect(Set(versions).count == versions.count)
    }

    @Test(arguments: ["file:///no/such/file", "file://elsewhere/a", "file:///etc/hostname%00"])
    func missingFilesNeverHaveTheSameVersionTwice(_ text: String) throws {
        let url = try #require(URL(string: text))
        let version = try #require(loader.localVersion(of: url)?.read())
        #expect(loader.localVersion(of: url)?.read() != version)
    }
}
