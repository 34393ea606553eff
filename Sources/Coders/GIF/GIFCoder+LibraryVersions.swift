import CGif

extension GIFCoder {
    /// The library it works with, and the version it was built with.
    public static var libraryVersions: [String: String] {
        ["giflib": "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"]
    }
}
