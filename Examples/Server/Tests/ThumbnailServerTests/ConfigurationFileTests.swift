import Configuration
import Darkroom
import Foundation
import SystemPackage
import Testing
import ThumbnailServer

@testable import ThumbnailServerProgram

struct ConfigurationFileTests {
    /// Returns the settings of a server with a file that contains `json`.
    private func settings(_ json: String) async throws -> ServerSettings {
        let file = URL.temporaryDirectory.appending(path: UUID().uuidString)
        try Data(json.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let provider = try await FileProvider<ConfigurationFile>(filePath: FilePath(file.path))
        return try await ServerSettings(
            ConfigReader(providers: [provider, InMemoryProvider(values: ["signature.insecure": true])]),
            file: ConfigurationFile.paths(of: Data(json.utf8)))
    }

    @Test func fileHasValuesOfAllTypes() async throws {
        let settings = try await settings(
            """
            {
                "signature": {"insecure": true}, "http": {"host": "::1", "port": 1e3, "drainSeconds": 3, "noticeSeconds": 0.5},
                "quality": 70, "presets": ["small=resize:12x8,cover"], "sources": {"allow": [], "samples": null}
            }
            """)
        #expect(settings.host == "::1" && settings.port == 1000)
        #expect(settings.drainTime == .seconds(3) && settings.noticeTime == .milliseconds(500))
        #expect(settings.thumbnails.presets == ["small": "resize:12x8,cover"])
        #expect(settings.thumbnails.quality == .fixed(0.7))
        #expect(settings.thumbnails.allowsInsecure && settings.thumbnails.sources.rules == nil)
    }

    @Test(
        arguments: [
            (#"72.5"#, .fixed(0.725)), (#""72.5""#, .fixed(0.725)), (#""auto""#, .target(.high)),
            (#""auto:75""#, .target(.score(75))), ("null", .fixed(DefaultQuality.delivered)),
        ] as [(String, FileQuality)])
    func qualityIsANumberOrText(value: String, quality: FileQuality) async throws {
        #expect(try await settings(#"{"quality": \#(value)}"#).thumbnails.quality == quality)
    }

    @Test(arguments: [
        (#"{"quality": true}"#, "quality"), (#"{"quality": ["auto"]}"#, "quality"), (#"{"quality": 1e300}"#, "quality"),
        (#"{"http": {"port": "80"}}"#, "http.port"), (#"{"http": {"port": 80.5}}"#, "http.port"),
        (#"{"signature": {"insecure": 1}}"#, "signature.insecure"), (#"{"http": {"port": true}}"#, "http.port"),
        (#"{"http": {"port": 1e99}}"#, "http.port"), (#"{"http": {"host": 3}}"#, "http.host"),
        (#"{"presets": "a=b"}"#, "presets"), (#"{"presets": ["a=b", 3]}"#, "presets"),
        (#"{"presets": {"a": "b"}}"#, "presets"),
    ])
    func valueOfAnotherTypeEndsTheServer(file: String, key: String) async throws {
        let error = await #expect(throws: SettingsError.self) { try await settings(file) }
        #expect(error?.description.contains(key) == true, "\(String(describing: error))")
    }

    @Test(arguments: ["", "3", "[]", #""text""#, "{", #"{"a": 1e999}"#, String(repeating: #"{"a":"#, count: 100_000)])
    func fileThatIsNoObjectIsRefused(json: String) async {
        await #expect(throws: (any Error).self) { try await settings(json) }
    }
}
