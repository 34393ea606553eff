import Console
import Darkroom

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where pictures go.
enum Destination: Sendable {
    case standardOutput
    case file(String)
    case folder(OutputFolder)

    /// The path for a picture of `format` that came from the source at `index`; `nil` for standard output.
    func path(for index: Int, _ format: ImageFormat) -> String? {
        switch self {
        case .standardOutput: nil
        case .file(let path): path
        case .folder(let folder): folder.path(for: index, format)
        }
    }

    /// The format that the destination's name asks for.
    var namedFormat: ImageFormat? {
        guard case .file(let path) = self else { return nil }
        return ImageFormat(named: URL(filePath: path).pathExtension)
    }

    /// Makes the folder, if there has to be one.
    func prepare() throws(ImageError) {
        if case .folder(let folder) = self { try folder.make() }
    }

    /// Puts `data` there; at a path, it appears whole or not at all.
    func write(_ data: Data, for index: Int, _ format: ImageFormat) throws(ImageError) {
        if let path = path(for: index, format) { return try Self.write(data, to: path) }
        do {
            try FileDescriptor.standardOutput.write(data)
        } catch {
            if error.isClosedPipe { System.endByClosedPipe() }
            throw .output("standard output cannot be written", error)
        }
    }

    /// Puts `data` at `path`, whole or not at all.
    static func write(_ data: Data, to path: String) throws(ImageError) {
        do {
            try TemporaryFile.write(data, to: path)
        } catch {
            throw .output("\(path) cannot be written", error)
        }
    }
}

/// A folder with a name for each source that no other source has.
struct OutputFolder: Sendable {
    let path: String
    private let stems: [String]

    init(_ path: String, _ sources: [Source]) {
        self.path = path
        // Neither letter case nor the way an accent is written tells files apart everywhere: equal strings are one name.
        var taken: Set<String> = []
        var lastNumbers: [String: Int] = [:]
        stems = sources.map { source in
            let stem = source.stem.text
            var name = stem
            while !taken.insert(name.lowercased()).inserted {
                let number = lastNumbers[stem.lowercased(), default: 1] + 1
                lastNumbers[stem.lowercased()] = number
                name = "\(stem)-\(number)"
            }
            return name
        }
    }

    /// The path for a picture of `format` that came from the source at `index`; `suffix` tells it from others of it.
    func path(for index: Int, suffix: String = "", _ format: ImageFormat) -> String {
        let name = "\(stems[index])\(suffix).\(format == .jpeg ? "jpg" : format.fileExtension)"
        return "\(path)\(path.utf8.last == UInt8(ascii: "/") ? "" : "/")\(name)"
    }

    /// Makes the folder, unless it is there.
    func make() throws(ImageError) {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        } catch {
            throw .output("the folder \(path) cannot be made", error)
        }
    }

    /// Whether there is a folder at `path`.
    static func exists(_ path: String) -> Bool {
        var isDirectory = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) && isDirectory
    }
}

extension ImageError {
    fileprivate static func output(_ message: String, _ error: any Error) -> ImageError {
        ImageError(.output, .encode, "\(message): \(error)", underlying: error)
    }
}

extension ImageError.Kind {
    /// The picture was made, but could not be written where it was wanted.
    static let output = ImageError.Kind(rawValue: "output")
}
