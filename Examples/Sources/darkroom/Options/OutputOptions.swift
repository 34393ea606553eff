import ArgumentParser
import Console
import Darkroom

/// The options that control where and how images are written.
struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A file, a folder, or - for standard output.", valueName: "path"), completion: .file())
    var output: String?

    @Option(help: ArgumentHelp("png, jpeg, gif or webp; by default that of the file extension.", valueName: "format"))
    var format: OutputFormat?

    @OptionGroup var encoding: EncodingOptions

    func validate() throws {
        guard output != "" else { throw ValidationError("--output requires a path.") }
        let names = (format == nil ? [] : ["--format"]) + encoding.names
        guard output != nil || names.isEmpty else {
            let requirement = names.count == 1 ? "requires" : "require"
            throw ValidationError("\(names.joined(separator: " and ")) \(requirement) --output.")
        }
    }

    /// Returns the destination for the results of `sources`; `nil` when nothing is written.
    func destination(for sources: [Source]) throws -> Destination? {
        guard let output else { return nil }
        if output == "-" {
            guard sources.count == 1 else { throw ValidationError("--output - accepts only one source.") }
            return .standardOutput
        }
        if sources.count > 1 || output.utf8.last == UInt8(ascii: "/") || OutputFolder.exists(output) {
            return .folder(OutputFolder(output, sources: sources))
        }
        return .file(output)
    }
}

/// An output format of the command line.
enum OutputFormat: String, CaseIterable, ExpressibleByArgument {
    case png, jpeg, gif, webp

    var imageFormat: ImageFormat {
        switch self {
        case .png: .png
        case .jpeg: .jpeg
        case .gif: .gif
        case .webp: .webp
        }
    }
}
