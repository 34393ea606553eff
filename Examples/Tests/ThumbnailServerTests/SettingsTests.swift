import Configuration
import Testing

@testable import ThumbnailServerProgram

struct SettingsTests {
    private func settings(_ arguments: String...) async throws -> ServerSettings {
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
    func flagsThatSetNothingAreRefused(_ flag: String) async throws {
        let error = await #expect(throws: SettingsError.self) { try await settings(flag, "1") }
        #expect(error?.description.contains(flag.prefix { $0 != "=" }) == true)
    }

    @Test(arguments: ["1e300", "-1", "nan", "inf", "1000000001"], ["--http-notice-seconds", "--cache-lifetime"])
    func numbersThatCannotBeWaitedForAreRefused(_ value: String, _ flag: String) async {
        await #expect(throws: SettingsError.self) { try await settings(flag, value) }
    }

    @Test func aValueThatCannotWorkIsToldWithItsKey() async throws {
        let error = await #expect(throws: SettingsError.self) { try await settings("--cache-bytes", "0") }
        #expect(error?.description == "cache.bytes is 0, and must be at least 1")
    }
}
