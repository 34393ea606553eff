import Darkroom

/// What this program is made of.
enum Versions {
    /// The version of the program.
    static let program = "0.1.0"

    /// Each part that stands on a library, and the versions of that.
    static var parts: [(name: String, libraries: [String: String])] {
        [
            ("png", PNGCoder.libraryVersions), ("jpeg", JPEGCoder.libraryVersions),
            ("gif", GIFCoder.libraryVersions), ("webp", WebPCoder.libraryVersions),
            ("color", LittleCMSConverter.libraryVersions),
        ]
    }

    /// Such as `libdeflate 1.14, libpng 1.6.39`.
    static func words(_ libraries: [String: String]) -> String {
        libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
