import ArgumentParser
import Console
import Darkroom
import DarkroomIsolation

/// The command line `darkroom`: its subcommands, and the end of the process.
@main
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "darkroom",
        abstract: "Loads, resizes and caches images.",
        discussion: .help(
            """
            The exit status is 0 for success, 1 if something failed, 2 for invalid arguments, 3 if all failures exceeded a \
            limit, 4 if all failures were failures of the network or the origin, and 130 after an interruption. If the reader \
            of standard output has gone, the program ends by SIGPIPE, as usual.

            For shell completion of commands, options and transforms, install the generated script:
              bash  darkroom --generate-completion-script bash \\
                      > ~/.local/share/bash-completion/completions/darkroom
              zsh   darkroom --generate-completion-script zsh > ~/.zfunc/_darkroom
              fish  darkroom --generate-completion-script fish \\
                      > ~/.config/fish/completions/darkroom.fish
            """,
            examples: "darkroom load photo.jpg --thumbnail 180x120 --output thumbnails/",
            "darkroom info https://example.com/photo.jpg --json", "darkroom play cat.gif --style blocks",
            "darkroom --version --verbose"),
        subcommands: [
            LoadCommand.self, InfoCommand.self, FramesCommand.self, PlayCommand.self, KeyCommand.self,
            ExplainCommand.self, PrefetchCommand.self, CacheCommand.self, FormatsCommand.self,
            TransformsCommand.self, DoctorCommand.self, ServeCommand.self,
        ])

    @Flag(help: "Show the version.")
    var version = false

    @Flag(help: "With --version, also show the versions of the libraries.")
    var verbose = false

    func validate() throws {
        guard version || !verbose else { throw ValidationError("--verbose requires --version.") }
    }

    func run() throws {
        guard version else { throw CleanExit.helpRequest(self) }
        guard verbose else { return FileDescriptor.standardOutput.print(Versions.program) }
        FileDescriptor.standardOutput.print("darkroom \(Versions.program)")
        for (name, libraries) in Versions.parts {
            FileDescriptor.standardOutput.print("\(name.padded(to: 9))\(Versions.summary(libraries))")
        }
    }

    static func main() async {
        // The coders of all commands.
        WorkerProcess.runIfStarted { $0.install(IsolatedCoders()) }
        System.endCleanlyOnSignals()
        do {
            var command = try parseAsRoot(Array(System.arguments.dropFirst()))
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ImageError {
            error.print()
            System.end(ExitStatus.of([error]))
        } catch  where exitCode(for: error) == .validationFailure {
            FileDescriptor.standardError.printLines(of: fullMessage(for: error))
            System.end(ExitStatus.usage)
        } catch {
            end(with: error)
        }
    }
}
