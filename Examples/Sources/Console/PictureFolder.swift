import Darkroom

/// The pictures in a folder, recognized by the extensions of their names, and sorted by name.
///
/// Names that begin with a dot are hidden. Links to folders are followed, but no folder is listed twice.
package struct PictureFolder: Sendable {
    /// The pictures, each with the path of its folder from the listed one.
    package private(set) var pictures: [(source: Source, subfolder: String)] = []

    /// The number of hidden files and folders.
    package private(set) var hiddenCount = 0

    /// The number of files that are no pictures.
    package private(set) var otherCount = 0

    /// The number of folders whose pictures are not listed.
    package private(set) var folderCount = 0

    /// The paths of folders that cannot be read.
    package private(set) var unreadable: [String] = []

    private var seen: Set<FileIdentity> = []

    /// Lists the folder at `path`, and with `isRecursive` those inside it, other than the one at `output`.
    package init(at path: String, isRecursive: Bool = false, excluding output: String? = nil) {
        if isRecursive, let output = output.flatMap(FileIdentity.init(ofFolderAt:)) { seen.insert(output) }
        // The output may be the folder itself.
        if let folder = FileIdentity(ofFolderAt: path) { seen.insert(folder) }
        var folders = [(path: path, subfolder: "")]
        while let folder = folders.popLast() {
            guard let names = Folder.names(in: folder.path) else {
                unreadable.append(folder.path)
                continue
            }
            var inner: [(path: String, subfolder: String)] = []
            for name in names.sorted() {
                let path = folder.path + (folder.path.utf8.last == UInt8(ascii: "/") ? "" : "/") + name
                let subfolder = folder.subfolder + (folder.subfolder.isEmpty ? "" : "/") + name
                if name.utf8.first == UInt8(ascii: ".") {
                    hiddenCount += 1
                } else if let identity = FileIdentity(ofFolderAt: path) {
                    if !isRecursive {
                        folderCount += 1
                    } else if seen.insert(identity).inserted {
                        inner.append((path, subfolder))
                    }
                } else {
                    add(path, in: folder.subfolder)
                }
            }
            folders += inner.reversed()
        }
    }

    private mutating func add(_ path: String, in subfolder: String) {
        guard path.pathExtension.flatMap(ImageFormat.init(named:)) != nil, FileIdentity(ofFileAt: path) != nil,
            let source = Source(argument: path)
        else { return otherCount += 1 }
        pictures.append((source, subfolder))
    }
}
