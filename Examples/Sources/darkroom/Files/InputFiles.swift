import Console
import Darkroom

/// The local files that a command reads, none of which its outputs replace unasked.
struct InputFiles: Sendable {
    /// The indices of the sources that are read from each file; empty for a file that is no source.
    private var indices: [FileIdentity: Set<Int>] = [:]
    private let isInPlace: Bool?

    /// Creates the inputs of a command: its `sources`, and the files at `otherPaths`. If `isInPlace`, the output of a
    /// source may replace that source; `nil` for a command without such an option.
    init(_ sources: [Source], otherPaths: [String] = [], isInPlace: Bool? = nil) {
        self.isInPlace = isInPlace
        for (index, source) in sources.enumerated() {
            if let file = source.fileIdentity { indices[file, default: []].insert(index) }
        }
        for file in otherPaths.compactMap(FileIdentity.init(ofFileAt:)) { indices[file, default: []].insert(-1) }
    }

    /// Throws an error if the output of the source at `index` would replace an input; `nil` stands for standard output.
    ///
    /// Files are compared by device and inode, so that links and other spellings of a path are recognized.
    func checkOutput(at path: String?, for index: Int) throws(ImageError) {
        let output = path.map { FileIdentity(ofFileAt: $0) } ?? FileDescriptor.standardOutput.identity
        guard let output, let readers = indices[output] else { return }
        let isOwn = readers == [index]
        if isOwn, isInPlace == true { return }
        let advice = isOwn && isInPlace == false ? ", or allow it with --in-place" : ""
        throw ImageError(
            .output, .encode,
            "\(path ?? "standard output") is \(isOwn ? "the source itself" : "another input") and would be overwritten; "
                + "choose another --output\(advice)")
    }
}
