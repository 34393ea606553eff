import ArgumentParser
import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// `darkroom doctor`: checks that Darkroom and everything it depends on work on this machine.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Checks whether everything works on this machine.",
        discussion: .help(
            """
            Each line says ok, note or failed, what was looked at, and what was found. The status is 1 when something \
            failed. Nothing is written but into a cache folder that is there already, and no network is used.
            """,
            examples: "darkroom doctor", "darkroom doctor --json --cache /var/cache/pictures"))

    @Option(
        name: .customLong("cache"), help: ArgumentHelp("The folder of the cache.", valueName: "dir"),
        completion: .directory)
    var path: String?

    @Flag(help: "Print one JSON object a line.")
    var json = false

    func run() async throws {
        let machine = MachineChecks { try? String(contentsOfFile: $0, encoding: .utf8) }
        let network = NetworkChecks(environment: ProcessInfo.processInfo.environment) {
            FileManager.default.fileExists(atPath: $0)
        }
        var checks = [Check(name: "darkroom", finding: Versions.program)] + CodecChecks.all
        checks.append(await CacheCheck.check(of: CacheFolder.url(path)))
        checks += machine.all + network.all
        for check in checks { check.print(asJSON: json) }
        guard checks.allSatisfy({ $0.status != .failed }) else { throw ExitCode(ExitStatus.failure) }
    }
}
