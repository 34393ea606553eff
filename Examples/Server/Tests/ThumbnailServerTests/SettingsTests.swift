import Configuration
import Darkroom
import Foundation
import Testing
import ThumbnailServer

@testable import ThumbnailServerProgram

struct SettingsTests {
    private func settings(_ arguments: String...) async throws -> ServerSettings { try await settings(arguments) }

    private func settings(_ arguments: [String]) async throws -> ServerSettings {
        let arguments = ["--signature-insecure", "true"] + arguments
        let provider = CommandLineArgumentsProvider(arguments: ["thumbnail-server"] + arguments)
        return try await ServerSettings(ConfigReader(provider: provider), arguments: arguments)
    }

    @Test func flagsAreKeysInLowercaseWithHyphens() async throws {
        let settings = try await settings("--http-drain-seconds", "3", "--cache-image-bytes", "0")
        #expect(settings.drainSeconds == 3)
        #expect(settings.imageByteLimit == 0)
        #expect(settings.lines.contains("http.drainSeconds = 3.0"))
    }

    @Test(arguments: ["--clients-perSecond", "--http-ports", "--cache.bytes", "--sources-allow-all=true"])
    func unknownFlagsAreRefused(_ flag: String) async throws {
        let error = await #expect(throws: SettingsError.self) { try await settings(flag, "1") }
        #expect(error?.description.contains(flag.prefix { $0 != "=" }) == true)
    }

    @Test(arguments: ["1e300", "-1", "nan", "inf", "1000000001"], ["--http-notice-seconds", "--cache-lifetime"])
    func invalidDurationsAreRefused(value: String, flag: String) async {
        await #expect(throws: SettingsError.self) { try await settings(flag, value) }
    }

    @Test func serverHasItsOwnFolder() async throws {
        let settings = try await settings()
        #expect(settings.cacheDirectory.path == DiskDataCache.defaultDirectory(namespace: "thumbnail-server").path)
        #expect(settings.cacheDirectory.path != DiskDataCache.defaultDirectory().path)
    }

    @Test func portsIncludeThoseOfAllowedSources() async throws {
        #expect(try await settings().sourcePorts == [80, 443])
        let named = try await settings("--sources-allow", "http://a:8080/", "--sources-ports", "443,8443")
        #expect(named.sourcePorts == [443, 8080, 8443])
    }

    @Test func connectionsAndMetricsAndFormatsCanBeSet() async throws {
        let settings = try await settings(
            "--http-connections", "7", "--http-idle-seconds", "9", "--metrics-port", "9090", "--formats", "png,jpeg",
            "--limits-steps", "3")
        #expect(settings.connections.count == 7)
        #expect(settings.connections.idleSeconds == 9)
        #expect(settings.metricsAddress?.port == 9090)
        #expect(settings.thumbnails.formats == [.jpeg, .png])
        #expect(settings.thumbnails.stepLimit == 3)
    }

    @Test func objectsAreSourcesOfNamedBuckets() async throws {
        #expect(try await settings().objectSources == nil)
        let settings = try await settings(
            "--s3-endpoint", "http://127.0.0.1:9000", "--s3-buckets", "photos,drawings", "--s3-region", "eu-central-1")
        #expect(settings.thumbnails.sources.buckets == ["photos", "drawings"])
        #expect(settings.objectSources != nil)
        #expect(settings.lines.contains("s3.region = eu-central-1"))
    }

    @Test(arguments: [
        ["--s3-endpoint", "http://a"], ["--s3-buckets", "photos"],
        ["--s3-endpoint", "http://a/b", "--s3-buckets", "photos"],
        ["--s3-endpoint", "http://a", "--s3-buckets", "photos,a/b"],
    ])
    func invalidSettingsOfObjectsEndTheServer(_ arguments: [String]) async {
        await #expect(throws: SettingsError.self) { try await settings(arguments) }
    }

    @Test(arguments: [
        ["--sources-allow", "example.com"], ["--sources-ports", "80,x"], ["--sources-ports", "0"],
        ["--formats", "png,heic"], ["--http-port", "65536"], ["--http-connections", "0"], ["--http-head-seconds", "0"],
    ])
    func invalidSettingsEndTheServer(_ arguments: [String]) async {
        await #expect(throws: SettingsError.self) { try await settings(arguments) }
    }

    @Test func errorOfAnInvalidValueNamesItsKey() async throws {
        let error = await #expect(throws: SettingsError.self) { try await settings("--cache-bytes", "0") }
        #expect(error?.description == "cache.bytes is 0, but must be at least 1")
    }
}
