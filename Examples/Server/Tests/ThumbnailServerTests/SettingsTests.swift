import Configuration
import Darkroom
import DarkroomIsolation
import DarkroomValkey
import Foundation
import InstalledCoders
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
        #expect(settings.drainTime == .seconds(3))
        #expect(settings.imageByteLimit == 0)
        #expect(settings.lines.contains("http.drainSeconds = 3.0"))
    }

    @Test func codersAreIsolatedUnlessThatIsTurnedOff() async throws {
        let standard = try await settings().isolation
        #expect(
            standard.workerCount == WorkerPool.Configuration().count && standard.requires == [.systemCalls, .limits])
        #expect(try await settings("--isolation-workers", "0").isolation.makePool() == nil)
        #expect(try await settings("--isolation-requires", "files").isolation.requires == .files)
        let configuration = try await settings("--isolation-niceness", "19").isolation.makePool()?.configuration
        #expect(configuration?.niceness == 19 && configuration?.readableFolders == InstalledCoders.readableFolders)
        let error = await #expect(throws: SettingsError.self) { try await settings("--isolation-requires", "filter") }
        #expect(error?.description.contains("systemCalls") == true)
    }

    @Test func largestNumbersAreAcceptedOrRefused() async throws {
        for line in try await settings().lines {
            let fields = line.split(separator: " = ", maxSplits: 1)
            guard fields.count == 2, Int(fields[1]) != nil else { continue }
            let flag = "--" + fields[0].replacing(".", with: "-").replacing(/[A-Z]/) { "-" + $0.output.lowercased() }
            guard let settings = try? await settings(flag, "\(Int.max)") else { continue }
            #expect(settings.connectionCount > 0, "\(flag)")
        }
    }

    @Test func oneHostLeavesWorkForOthersUnlessThatIsTurnedOff() async throws {
        let limit = try await settings().thumbnails.workLimit
        #expect(limit.running >= max(16, 2 * WorkerPool.Configuration().count))
        #expect(limit.runningPerHost == limit.running / 4 * 3)
        #expect(try await settings("--work-running", "2").thumbnails.workLimit.runningPerHost == 1)
        #expect(try await settings("--work-running-per-host", "0").thumbnails.workLimit.runningPerHost == nil)
    }

    @Test(arguments: [(100, 32, 6, 1), (256, 64, 16, 4), (1024, 448, 64, 16), (64 << 10, 32_704, 64, 32)])
    func whatIsKeptInMemoryDependsOnIt(megabytes: Int, budget: Int, responses: Int, heap: Int32) {
        let defaults = MemoryDefaults(byteCount: megabytes << 20)
        #expect([defaults.budget, defaults.responses].map { $0 >> 20 } == [budget, responses])
        #expect(defaults.heap >> 20 == heap)
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

    /// Returns the error of a server with an environment, or with a file.
    private func error(environment: [String] = [], file: String = "{}") async -> SettingsError? {
        let arguments = ["--signature-insecure", "true"]
        let provider = CommandLineArgumentsProvider(arguments: ["thumbnail-server"] + arguments)
        return await #expect(throws: SettingsError.self) {
            try await ServerSettings(
                ConfigReader(provider: provider), arguments: arguments, environment: environment,
                file: ConfigurationFile.paths(of: Data(file.utf8)))
        }
    }

    @Test(
        .bug(id: "Fix unknown settings in the file and the environment"),
        arguments: [
            (#"{"sources": {"alow": ["https://a/"]}}"#, "sources.alow", "sources.allow"),
            (#"{"sources.allow ": []}"#, "sources.allow ", "sources.allow"),
            (#"{"htpp": {"port": 1}}"#, "htpp.port", "http.port"), (#"{"qualty": 3}"#, "qualty", "quality"),
            (#"{"http": 3}"#, "http", "http.host"), (#"{"http": {}}"#, "http.", "http.host"),
            (#"{"HTTP": {"port": 3}}"#, "HTTP.port", "http.port"),
        ])
    func unknownKeysOfTheFileEndTheServer(file: String, key: String, nearest: String) async {
        let error = await error(file: file)
        #expect(error?.description.hasPrefix("\(key) is not a setting; the nearest one is \(nearest)") == true)
    }

    @Test func unknownVariablesEndTheServer() async throws {
        let error = await error(environment: ["PATH", "DARKROOM_SOURCES_ALOW", "DARKROOM_HTTP_PORT"])
        #expect(error?.description.contains("the nearest one is DARKROOM_SOURCES_ALLOW") == true)
        let provider = InMemoryProvider(values: ["signature.insecure": true])
        _ = try await ServerSettings(
            ConfigReader(provider: provider),
            environment: ["PATH", "DARKROOM_CONFIG", "DARKROOM_HTTP_DRAIN_SECONDS", "DARKROOM_FLEET_VALKEY"],
            file: ["http.drainSeconds", "signature.keys"])
    }

    @Test func objectsInPlaceOfListsEndTheServer() async {
        let error = await error(file: #"{"presets": {"small": "thumbnail:9x9"}}"#)
        #expect(error?.description.hasPrefix("presets is an object") == true)
    }

    @Test func argumentsWithoutAFlagEndTheServer() async {
        await #expect(throws: SettingsError.self) {
            try await ServerSettings(
                ConfigReader(provider: InMemoryProvider(values: ["signature.insecure": true])),
                arguments: ["config.json"])
        }
    }

    @Test(arguments: [
        ["--presets", "small=resize:12x8,cover+format:png", "wide=thumbnail:9x2"],
        ["--presets=small=resize:12x8,cover+format:png", "--presets", "wide=thumbnail:9x2"],
    ])
    func presetsMayContainCommas(_ arguments: [String]) async throws {
        let presets = try await settings(arguments).thumbnails.presets
        #expect(presets == ["small": "resize:12x8,cover+format:png", "wide": "thumbnail:9x2"])
    }

    @Test(
        .bug(id: "Fix passwords in printed settings"),
        arguments: [
            ["--fleet-valkey", "redis://user:s3cret@valkey:6379/0", "--fleet-endpoint", "http://a"],
            ["--fleet-valkey", "redis://:s3c/ret@valkey:6379", "--fleet-endpoint", "http://a"],
            ["--fleet-valkey", "user:s3cret@valkey:6379"], ["--fleet-endpoint", "https://s3cret@engine/"],
            ["--s3-endpoint", "https://a/?token=s3cret"], ["--sources-allow", "https://a/", "https://s3cret@b/"],
            ["--fallback", "https://u:s3cret@a/"], ["--http-host", "http://s3cret@a"],
            ["--fleet-secret", "s3cret", "s3cret"],
        ])
    func secretsAreNeitherPrintedNorNamedByErrors(_ arguments: [String]) async throws {
        let text: String
        do {
            text = try await settings(arguments).lines.joined(separator: "\n")
        } catch {
            text = "\(error)"
        }
        #expect(!text.contains("s3c") && !text.contains("ret@"), "\(text)")
    }

    @Test func printedListsAreComplete() async throws {
        let presets = (0..<50).map { "preset\($0)=resize:12x8,cover+format:png" }
        let lines = try await settings(["--presets"] + presets).lines
        #expect(lines.contains { $0.hasPrefix("presets = ") && $0.contains("preset49") })
        #expect(try await settings("--sources-allow", "https://a/b/").lines.contains("sources.allow = https://a/b/"))
    }

    @Test(
        arguments: [
            ([], .fixed(DefaultQuality.delivered), "80"), (["--quality", "72.5"], .fixed(0.725), "72.5"),
            (["--quality", "auto"], .target(.high), "auto"),
            (["--quality", "auto:75"], .target(.score(75)), "auto:75"),
        ] as [([String], FileQuality, String)])
    func qualityIsANumberOrAuto(arguments: [String], quality: FileQuality, printed: String) async throws {
        let settings = try await settings(arguments)
        #expect(settings.thumbnails.quality == quality && settings.lines.contains("quality = \(printed)"))
    }

    @Test func userAgentCanBeSet() async throws {
        #expect(try await settings().userAgent == "darkroom-thumbnail-server/1.0")
        #expect(try await settings("--sources-user-agent", "mine/2 (a)").userAgent == "mine/2 (a)")
    }

    @Test func limitPerClientDoesNotApplyBehindAProxy() async throws {
        #expect(try await settings().connections.countPerClient == 100)
        #expect(try await settings("--http-connections-per-client", "0").connections.countPerClient == nil)
        #expect(try await settings("--clients-proxies", "1").connections.countPerClient == nil)
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
        #expect(settings.connections.idleTimeout == .seconds(9))
        #expect(settings.metricsAddress?.port == 9090)
        #expect(settings.thumbnails.formats == [.jpeg, .png])
        #expect(settings.thumbnails.stepLimit == 3)
    }

    @Test(
        .bug(id: "Fix fleets with different prefixes that share leases and purges"),
        arguments: [([], "darkroom:"), (["--fleet-prefix", "other"], "other:")] as [([String], String)])
    func fleetsWithDifferentPrefixesShareNoLeases(arguments: [String], prefix: String) async throws {
        let engines = ["--fleet-endpoint", "http://a", "--fleet-valkey", "redis://a:6379"]
        #expect(try await settings(engines + arguments).fleet?.leases?.prefix == prefix)
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
        ["--formats", "png,pcx"], ["--formats", "bmp"], ["--http-port", "65536"], ["--http-connections", "0"],
        ["--http-head-seconds", "0"],
        ["--quality", "101"], ["--quality", "0"], ["--quality", "best"], ["--quality", "auto:101"],
        ["--quality", "80:75"],
        ["--sources-samples", "/none"], ["--sources-samples", #filePath],
        ["--fallback", #filePath], ["--http-mount", "img"], ["--http-mount", "/img/"],
        ["--sources-user-agent", "a\r\nb"],
    ])
    func invalidSettingsEndTheServer(_ arguments: [String]) async {
        await #expect(throws: SettingsError.self) { try await settings(arguments) }
    }

    @Test func errorOfAnInvalidValueNamesItsKey() async throws {
        let error = await #expect(throws: SettingsError.self) { try await settings("--cache-bytes", "0") }
        #expect(error?.description == "cache.bytes is 0, but must be at least 1")
    }
}
