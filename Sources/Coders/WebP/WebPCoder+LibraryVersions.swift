import CWebP

extension WebPCoder {
    /// The library it works with, and the version that is loaded.
    public static var libraryVersions: [String: String] {
        let version = WebPGetDecoderVersion()
        return ["libwebp": "\(version >> 16).\(version >> 8 & 255).\(version & 255)"]
    }
}
