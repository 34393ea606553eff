import ArgumentParser
import Console
import Darkroom

/// The command line `darkroom`: its commands, and how the process ends.
@main
struct RootCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "darkroom",
        abstract: "Loads pictures, makes thumbnails of them, and keeps both.",
        version: "0.1.0",
        subcommands: [
            LoadCommand.self, InfoCommand.self, FramesCommand.self, PlayCommand.self, KeyCommand.self,
            ExplainCommand.self, PrefetchCommand.self, CacheCommand.self, FormatsCommand.self,
            TransformsCommand.self,
        ])

    static func main() async {
        System.endCleanlyOnSignals()
        do {
            var command = try parseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let error as ImageError {
            error.print()
            System.end(ExitStatus.of([error]))
        } catch  where exitCode(for: error) == .validationFailure {
            FileDescriptor.standardError.print(fullMessage(for: error))
            System.end(ExitStatus.usage)
        } catch {
            exit(withError: error)
        }
    }
}
