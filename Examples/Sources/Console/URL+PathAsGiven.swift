#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

extension URL {
    /// Creates the URL of the file that the system's functions find at `path`: a leading `~` is part of its name, where
    /// `init(filePath:)` puts the home folder of a user.
    package init(pathAsGiven path: String, directoryHint: DirectoryHint = .inferFromPath) {
        self.init(filePath: path.utf8.first == UInt8(ascii: "~") ? "./\(path)" : path, directoryHint: directoryHint)
    }
}
