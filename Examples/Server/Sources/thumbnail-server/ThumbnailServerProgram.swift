import CAllocator
import Configuration
import CoreMetrics
import Darkroom
import DarkroomIsolation
import Hummingbird
import Logging
import PrometheusText
import ServerPlatform
import ServiceLifecycle
import SystemPackage
import ThumbnailServer

/// `thumbnail-server`: an image proxy built from Darkroom's public modules only.
@main
enum ThumbnailServerProgram {
    /// The log. As many bytes as possible are written: there is nowhere to report a failure.
    private static let log = LogOutput { _ = try? FileDescriptor.standardError.writeAll($0) }

    static func main() async {
        // With glibc's defaults, decoding photographs on a dozen threads left the process with eight times the
        // memory in use.
        allocator_keep_small(4, 32 << 20, 32 << 20)
        WorkerProcess.runIfStarted(ThumbnailService.installCoders)
        let heapByteCount = MemoryDefaults().heap
        allocator_keep_small(4, heapByteCount, heapByteCount)
        // Sent when a terminal closes, and by operators to make a program read its settings or reopen its log. The
        // server does neither, so it must not end.
        signal(SIGHUP, SIG_IGN)
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            _ = log.append(Data("thumbnail-server: \(Secrets.removed(from: "\(error)"))\n".utf8))
            log.flush()
            exit(error is SettingsError ? 78 : 1)
        }
        log.flush()
    }

    private static func run(_ arguments: [String]) async throws {
        guard !arguments.contains("--help"), !arguments.contains("-h") else { return print(help) }
        let (config, paths) = try await configuration(arguments)
        let settings = try await ServerSettings(
            config, arguments: arguments, environment: Array(ProcessInfo.processInfo.environment.keys), file: paths)
        guard !arguments.contains("--print-config") else { return settings.lines.forEach { print($0) } }
        try OpenFileLimit.raise(for: settings.connectionCount)
        let registry = PrometheusRegistry()
        MetricsSystem.bootstrap(registry)
        LoggingSystem.bootstrap { label in logHandler(for: label, settings: settings) }
        try await service(settings, registry: registry).run()
    }

    /// Returns the server. What its parts refuse are settings that only they can judge.
    private static func service(
        _ settings: ServerSettings, registry: PrometheusRegistry
    ) throws -> ThumbnailService {
        do {
            return try ThumbnailService(settings, registry: registry, logger: Logger(label: "thumbnail-server"))
        } catch let error as ImageError {
            throw SettingsError(error.message)
        }
    }

    private static func logHandler(for label: String, settings: ServerSettings) -> any LogHandler {
        LineLogHandler(label: label, level: settings.logLevel, format: settings.logsJSON ? .json : .text, output: log)
    }

    /// Reads flags, then the environment, then the credentials that the service manager passes, then the file named by
    /// `--config` or `DARKROOM_CONFIG`. Also returns the paths of the values in the file.
    private static func configuration(_ arguments: [String]) async throws -> (ConfigReader, paths: [String]) {
        let flags = CommandLineArgumentsProvider(arguments: ["thumbnail-server"] + arguments)
        let environment = EnvironmentVariablesProvider().prefixKeys(with: "darkroom")
        let first: [any ConfigProvider] = [flags, environment] + (try await credentials().map { [$0] } ?? [])
        guard let file = ConfigReader(providers: first).string(forKey: "config") else {
            return (ConfigReader(providers: first), [])
        }
        do {
            let provider = try await FileProvider<ConfigurationFile>(filePath: FilePath(file))
            let paths = ConfigurationFile.paths(of: try Data(contentsOf: URL(filePath: file)))
            return (ConfigReader(providers: first + [provider]), paths)
        } catch {
            throw SettingsError("config: \(file) cannot be read as JSON: \(error)")
        }
    }

    /// The settings in the folder of credentials (systemd.exec(5)): a file `signature-keys` has those of `signature.keys`.
    private static func credentials() async throws -> DirectoryFilesProvider? {
        guard let folder = ProcessInfo.processInfo.environment["CREDENTIALS_DIRECTORY"] else { return nil }
        do {
            return try await DirectoryFilesProvider(directoryPath: FilePath(folder))
        } catch {
            throw SettingsError("the credentials in \(folder) cannot be read: \(error)")
        }
    }

    private static let help = """
        usage: thumbnail-server [--config FILE] [--print-config] [--KEY VALUE]...

        Serves GET /{signature|insecure}/{options}/{source}: the image at a URL, transformed and encoded.

          thumbnail-server --signature-insecure true --sources-samples photos --gallery true
          curl http://127.0.0.1:8080/insecure/thumbnail:180x120/sample/photo.jpg -o thumbnail.jpg

        A key such as http.drainSeconds is --http-drain-seconds as a flag, DARKROOM_HTTP_DRAIN_SECONDS in the environment,
        and {"http": {"drainSeconds": 20}} in the file. --print-config prints all keys with their effective values. docs/server.md explains them.
        """
}
