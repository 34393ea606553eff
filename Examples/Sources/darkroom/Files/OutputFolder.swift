import Console
import Darkroom

/// A folder that has a unique name for the output of each source. The output of sources in a folder is in the same folder
/// inside it.
struct OutputFolder: Sendable {
    let path: String
    /// The names without extensions, with the folders that contain them.
    private let stems: [String]
    private let subfolders: Set<String>

    /// Creates the names for the output of `sources`, none of which is in a folder that was given.
    init(_ path: String, sources: [Source]) { self.init(path, sources: sources.map { ListedSource(source: $0) }) }

    /// Creates the names for the output of `sources` in the folder at `path`.
    init(_ path: String, sources: [ListedSource]) {
        self.path = path
        subfolders = Set(sources.map(\.subfolder)).subtracting([""])
        // File systems may ignore case and Unicode normalization; `String` compares canonical equivalents as equal.
        var taken: Set<String> = []
        var lastNumbers: [String: Int] = [:]
        stems = sources.map { listed in
            let stem = (listed.subfolder.isEmpty ? "" : listed.subfolder + "/") + listed.source.stem.text
            var name = stem
            while !taken.insert(name.lowercased()).inserted {
                let number = lastNumbers[stem.lowercased(), default: 1] + 1
                lastNumbers[stem.lowercased()] = number
                name = "\(stem)-\(number)"
            }
            return name
        }
    }

    /// Returns the path for an image of `format` from the source at `index`. The `suffix` distinguishes several images
    /// of one source.
    func path(for index: Int, suffix: String = "", as format: ImageFormat) -> String {
        path(of: "\(stems[index])\(suffix).\(format == .jpeg ? "jpg" : format.fileExtension)")
    }

    /// Creates the folder and those inside it, unless they exist.
    func create() throws(ImageError) {
        for path in [path] + subfolders.sorted().map(path(of:)) {
            do {
                try Folder.create(path)
            } catch {
                throw ImageError(.output, .encode, "the folder \(path) cannot be created: \(error)", underlying: error)
            }
        }
    }

    private func path(of name: String) -> String { "\(path)\(path.utf8.last == UInt8(ascii: "/") ? "" : "/")\(name)" }
}
