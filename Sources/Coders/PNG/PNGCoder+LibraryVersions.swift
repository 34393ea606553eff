import CPNG

extension PNGCoder {
    /// The underlying libraries and their versions: that of the loaded libpng, and that of libdeflate at build time.
    public static var libraryVersions: [String: String] {
        [
            "libpng": unsafe String(cString: cpng_libpng_version()),
            "libdeflate": unsafe String(cString: cpng_libdeflate_version()),
        ]
    }
}
