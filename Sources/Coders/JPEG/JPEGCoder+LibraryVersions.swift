import CJPEG

extension JPEGCoder {
    /// The underlying library, libjpeg-turbo or a compatible one, and the version that this module was built with.
    public static var libraryVersions: [String: String] {
        [unsafe String(cString: cjpeg_library_name()): unsafe String(cString: cjpeg_library_version())]
    }
}
