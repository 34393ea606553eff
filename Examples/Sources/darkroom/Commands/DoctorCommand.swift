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
        commandName: "doctor", abstract: "Checks whether Darkroom works on this machine.",
        discussion: .help(
            """
            Each line contains ok, note or failed, the checked part, and the finding. The exit status is 1 if a check \
            failed. The check uses no network, and writes only into the folder of an existing cache.
            """,
            examples: "darkroom doctor", "darkroom doctor --json --cache /var/cache/images"))

    @Option(
        name: .customLong("cache"), help: ArgumentHelp("The cache folder.", valueName: "dir"),
        completion: .directory)
    var path: String?

    @Flag(help: "Print one JSON object per line.")
    var json = false

    func run() async throws {
        let text = { (path: String) in try? String(contentsOfFile: path, encoding: .utf8) }
        let machine = MachineChecks(text: text)
        let network = NetworkChecks(environment: ProcessInfo.processInfo.environment) {
            FileManager.default.fileExists(atPath: $0)
        }
        var checks = [Check(name: "darkroom", finding: Versions.program)] + CodecChecks.all
        checks.append(await CacheCheck.check(of: CacheFolder(path)))
        checks += machine.all + [IsolationCheck.check] + network.all + [PackageChecks(text: text).check]
        for check in checks { check.print(asJSON: json) }
        guard checks.allSatisfy({ $0.status != .failed }) else { throw ExitCode(ExitStatus.failure) }
    }
}
