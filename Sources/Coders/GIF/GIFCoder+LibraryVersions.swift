import CGif

extension GIFCoder {
    /// The underlying library and the version that this module was built with.
    public static var libraryVersions: [String: String] {
        ["giflib": "\(GIFLIB_MAJOR).\(GIFLIB_MINOR).\(GIFLIB_RELEASE)"]
    }
}
