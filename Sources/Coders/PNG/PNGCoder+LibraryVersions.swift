import CPNG

extension PNGCoder {
    /// The libraries it works with, and their versions: of libpng the one that is loaded, of libdeflate the one it was built with.
    public static var libraryVersions: [String: String] {
        [
            "libpng": unsafe String(cString: cpng_libpng_version()),
            "libdeflate": unsafe String(cString: cpng_libdeflate_version()),
        ]
    }
}
