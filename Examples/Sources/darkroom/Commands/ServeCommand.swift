import ArgumentParser
import Console
import Darkroom

/// `darkroom serve`: shows the pictures in a folder in a browser.
///
/// It becomes the thumbnail server, which is a program of its own, because most users of the command line need none.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Shows the pictures in a folder in a browser.",
        discussion: .help(
            """
            Runs thumbnail-server with its gallery, on this machine only, until it is interrupted. The program is looked for \
            beside this one, and in PATH.
            """,
            examples: "darkroom serve photos/", "darkroom serve photos/ --port 9000"))

    @Argument(help: ArgumentHelp("The folder.", valueName: "dir"), completion: .directory)
    var folder: String

    @Option(help: ArgumentHelp("The port to listen on.", valueName: "n"))
    var port = 8080

    /// The name of the server's program.
    private static let program = "thumbnail-server"

    func validate() throws {
        guard (1...65535).contains(port) else { throw ValidationError("--port must be between 1 and 65535.") }
    }

    func run() throws {
        guard Folder.exists(folder) else { throw ValidationError("\(folder.printable) is not a folder.") }
        guard let program = System.path(ofProgram: Self.program) else {
            throw ImageError(
                .unsupported, .request,
                "\(Self.program) is neither beside this program nor in PATH; install it, or build it in Examples/Server"
            )
        }
        FileDescriptor.standardError.print("darkroom: http://127.0.0.1:\(port)/ shows \(folder); Control-C ends it")
        let arguments = [
            "--http-host", "127.0.0.1", "--http-port", "\(port)", "--signature-insecure", "true", "--gallery", "true",
            "--sources-samples", folder,
        ]
        let error = System.become(program, arguments: arguments)
        throw ImageError(.internal, .request, "\(program) cannot be run: \(error)")
    }
}
