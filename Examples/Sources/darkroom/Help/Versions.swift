import Darkroom

/// The versions of this program and its libraries.
enum Versions {
    /// The version of the program.
    static let program = "0.1.0"

    /// The parts that use libraries, with the versions of these.
    static var parts: [(name: String, libraries: [String: String])] {
        [
            ("png", PNGCoder.libraryVersions), ("jpeg", JPEGCoder.libraryVersions),
            ("gif", GIFCoder.libraryVersions), ("webp", WebPCoder.libraryVersions),
            ("color", LittleCMSConverter.libraryVersions),
        ]
    }

    /// Returns a text such as `libdeflate 1.14, libpng 1.6.39`.
    static func summary(_ libraries: [String: String]) -> String {
        libraries.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }
}
