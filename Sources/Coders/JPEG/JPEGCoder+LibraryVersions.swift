import CJPEG

extension JPEGCoder {
    /// The library it works with, and the version it was built with: libjpeg-turbo, or another that takes its place.
    public static var libraryVersions: [String: String] {
        [unsafe String(cString: cjpeg_library_name()): unsafe String(cString: cjpeg_library_version())]
    }
}
