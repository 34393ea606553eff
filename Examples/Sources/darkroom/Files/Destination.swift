import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The place where images are written.
enum Destination: Sendable {
    case standardOutput
    case file(String)
    case folder(OutputFolder)

    /// Returns the path for an image of `format` from the source at `index`; `nil` for standard output.
    func path(for index: Int, as format: ImageFormat) -> String? {
        switch self {
        case .standardOutput: nil
        case .file(let path): path
        case .folder(let folder): folder.path(for: index, as: format)
        }
    }

    /// The format that the extension of the destination implies.
    var namedFormat: ImageFormat? {
        guard case .file(let path) = self else { return nil }
        return path.pathExtension.flatMap(ImageFormat.init(named:))
    }

    /// Creates the folder if the destination is one.
    func prepare() throws(ImageError) {
        if case .folder(let folder) = self { try folder.create() }
    }

    /// Writes `data` to the destination, unless that is one of the `inputs`. Files other than standard output are written
    /// atomically.
    func write(
        _ data: Data, for index: Int, as format: ImageFormat, sparing inputs: InputFiles
    ) throws(ImageError) {
        let path = path(for: index, as: format)
        try inputs.checkOutput(at: path, for: index)
        // Another file under the name would not be the one that the shell has opened.
        if let path, !FileDescriptor.standardOutput.isFile(at: path) { return try Self.write(data, to: path) }
        do {
            try FileDescriptor.standardOutput.write(data)
        } catch {
            if error.isClosedPipe { System.endByClosedPipe() }
            throw .output("standard output cannot be written", underlying: error)
        }
    }

    /// Writes `data` to `path` atomically.
    static func write(_ data: Data, to path: String) throws(ImageError) {
        do {
            try TemporaryFile.write(data, to: path)
        } catch {
            throw .output("\(path) cannot be written", underlying: error)
        }
    }
}

extension ImageError {
    fileprivate static func output(_ message: String, underlying error: any Error) -> ImageError {
        ImageError(.output, .encode, "\(message): \(error)", underlying: error)
    }
}

extension ImageError.Kind {
    /// The image was made, but could not be written to its destination.
    static let output = ImageError.Kind(rawValue: "output")
}
