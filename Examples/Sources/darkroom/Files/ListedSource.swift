import Console
import Darkroom

/// A source, and the folder for its output inside that of the command.
struct ListedSource: Sendable {
    let source: Source

    /// The path from the folder that was given to the one with the source; empty for a source that was given itself.
    var subfolder = ""
}

/// The sources that a command was given, with the pictures of folders in place of these.
struct SourceListing: Sendable {
    private(set) var sources: [ListedSource] = []

    /// A sentence for each folder that contains other files, with the folder.
    private(set) var notes: [(folder: Source, text: String)] = []

    /// The errors of folders that cannot be read.
    private(set) var failures: [(folder: Source, error: ImageError)] = []

    /// Lists `given`. With `isRecursive`, the folders inside folders are listed too, other than `output`.
    init(_ given: [Source], isRecursive: Bool, output: String?) {
        for source in given {
            guard let path = source.folderPath else {
                sources.append(ListedSource(source: source))
                continue
            }
            let folder = PictureFolder(at: path, isRecursive: isRecursive, excluding: output)
            sources += folder.pictures.map { ListedSource(source: $0.source, subfolder: $0.subfolder) }
            if let text = folder.omissions { notes.append((source, text)) }
            if folder.pictures.isEmpty, folder.unreadable.isEmpty {
                failures.append((source, ImageError(.noLoader, .request, "the folder contains no pictures")))
            }
            failures += folder.unreadable.map { path in
                (source, ImageError(.noLoader, .request, "the folder \(path) cannot be read"))
            }
        }
    }

    /// Prints the notes, unless `isQuiet`, and the errors.
    func printRemarks(isQuiet: Bool) {
        if !isQuiet { for note in notes { [note.text].print(about: note.folder) } }
        for failure in failures { failure.error.print(about: failure.folder) }
    }
}

extension PictureFolder {
    /// A sentence about what is not listed; `nil` if all is.
    fileprivate var omissions: String? {
        let counts = [(hiddenCount, "hidden"), (otherCount, "other"), (folderCount, "inner")].filter { $0.0 > 0 }
        guard !counts.isEmpty else { return nil }
        let words = counts.map { count, kind in
            let noun = kind == "inner" ? "folder" : "file"
            return "\(count) \(kind == "inner" ? "" : kind + " ")\(noun)\(count == 1 ? "" : "s")"
        }
        return "skipped \(words.joined(separator: ", "))" + (folderCount > 0 ? " (see --recursive)" : "")
    }
}
