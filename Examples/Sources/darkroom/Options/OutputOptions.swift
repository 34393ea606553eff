import ArgumentParser
import Console
import Darkroom
import InstalledCoders

/// The options that control where and how images are written.
struct OutputOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("A file, a folder, or - for standard output.", valueName: "path"), completion: .file())
    var output: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            """
            \(OutputFormat.allValueStrings.joined(separator: ", ")), which is that of the source, or one that suits the \
            image better. By default that of the file extension of --output, or else auto.
            """,
            valueName: "format"))
    var format: OutputFormat?

    @Flag(help: "Allow each output to replace its own source; otherwise no output overwrites an input.")
    var inPlace = false

    @OptionGroup var encoding: EncodingOptions

    /// Whether the image is written to standard output, also under another name, such as `/dev/stdout`.
    var isStandardOutput: Bool { output.map { $0 == "-" || FileDescriptor.standardOutput.isFile(at: $0) } ?? false }

    func validate() throws {
        guard output != "" else { throw ValidationError("--output requires a path.") }
        let names = (format == nil ? [] : ["--format"]) + (inPlace ? ["--in-place"] : []) + encoding.names
        guard output != nil || names.isEmpty else {
            let requirement = names.count == 1 ? "requires" : "require"
            throw ValidationError("\(names.joined(separator: " and ")) \(requirement) --output.")
        }
    }

    /// Returns the destination for the results of `sources`; `nil` when nothing is written. `areSeveral` is true if there
    /// may be several sources even if one is given, because it is a folder.
    ///
    /// - Throws: An error if the path is that of one file, and there are several sources. A path with an extension is,
    ///   unless it ends with `/` or there is such a folder.
    func destination(for sources: [ListedSource], areSeveral: Bool) throws -> Destination? {
        guard let output else { return nil }
        if output == "-" {
            guard !areSeveral else { throw ValidationError("--output - accepts only one source.") }
            return .standardOutput
        }
        let isFolder = output.utf8.last == UInt8(ascii: "/") || Folder.exists(output)
        guard isFolder || areSeveral else {
            guard format != .auto || output.pathExtension == nil else {
                throw ValidationError("--format auto requires --output without an extension, which might be wrong.")
            }
            return .file(output)
        }
        guard isFolder || output.pathExtension == nil && !FileDescriptor.exists(output) else {
            let number = sources.count == 1 ? "the source is a folder" : "there are \(sources.count) sources"
            throw ValidationError("--output \(output) is a file, but \(number); give a folder, which ends with /.")
        }
        return .folder(OutputFolder(output, sources: sources))
    }
}

/// An output format of the command line: one that an installed coder writes, or `auto`.
struct OutputFormat: ExpressibleByArgument, Equatable {
    /// The format of the source, or one that suits the image better.
    static let auto = OutputFormat(imageFormat: nil)

    /// The format; `nil` for one that depends on the image.
    let imageFormat: ImageFormat?

    private init(imageFormat: ImageFormat?) { self.imageFormat = imageFormat }

    init?(argument: String) {
        guard argument != "auto" else {
            self = .auto
            return
        }
        guard let format = Self.written.first(where: { $0.fileExtension == argument }) else { return nil }
        imageFormat = format
    }

    static var allValueStrings: [String] { written.map(\.fileExtension) + ["auto"] }

    static var defaultCompletionKind: CompletionKind { .list(allValueStrings) }

    private static var written: [ImageFormat] {
        let coders = InstalledCoders.registry
        return coders.coders.flatMap(\.formats).filter { coders.encoder(for: $0) != nil }
    }
}
