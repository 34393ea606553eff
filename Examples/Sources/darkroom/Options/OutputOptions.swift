import ArgumentParser
import Console
import Darkroom
import InstalledCoders

/// The options that control where and how images are written.
struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("A file, a folder, or - for standard output.", valueName: "path"), completion: .file())
    var output: String?

    @Option(
        help: ArgumentHelp(
            "\(OutputFormat.allValueStrings.joined(separator: ", ")); by default that of the file extension of --output, or else of the source.",
            valueName: "format"))
    var format: OutputFormat?

    @Flag(help: "Allow each output to replace its own source; otherwise no output overwrites an input.")
    var inPlace = false

    @OptionGroup var encoding: EncodingOptions

    func validate() throws {
        guard output != "" else { throw ValidationError("--output requires a path.") }
        let names = (format == nil ? [] : ["--format"]) + (inPlace ? ["--in-place"] : []) + encoding.names
        guard output != nil || names.isEmpty else {
            let requirement = names.count == 1 ? "requires" : "require"
            throw ValidationError("\(names.joined(separator: " and ")) \(requirement) --output.")
        }
    }

    /// Returns the destination for the results of `sources`; `nil` when nothing is written.
    ///
    /// - Throws: An error if the path is that of one file, and there are several sources. A path with an extension is,
    ///   unless it ends with `/` or there is such a folder.
    func destination(for sources: [Source]) throws -> Destination? {
        guard let output else { return nil }
        if output == "-" {
            guard sources.count == 1 else { throw ValidationError("--output - accepts only one source.") }
            return .standardOutput
        }
        let isFolder = output.utf8.last == UInt8(ascii: "/") || Folder.exists(output)
        guard isFolder || sources.count > 1 else { return .file(output) }
        guard isFolder || output.pathExtension == nil && !FileDescriptor.exists(output) else {
            throw ValidationError(
                "--output \(output) is a file, but there are \(sources.count) sources; give a folder, which ends with /."
            )
        }
        return .folder(OutputFolder(output, sources: sources))
    }
}

/// An output format of the command line, which an installed coder writes.
struct OutputFormat: ExpressibleByArgument {
    let imageFormat: ImageFormat

    init?(argument: String) {
        guard let format = Self.all.first(where: { $0.fileExtension == argument }) else { return nil }
        imageFormat = format
    }

    static var allValueStrings: [String] { all.map(\.fileExtension) }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    private static var all: [ImageFormat] {
        let coders = InstalledCoders.registry
        return coders.coders.flatMap(\.formats).filter { coders.encoder(for: $0) != nil }
    }
}
