import CWebP

extension WebPCoder {
    /// The underlying library and its loaded version.
    public static var libraryVersions: [String: String] {
        let version = WebPGetDecoderVersion()
        return ["libwebp": "\(version >> 16).\(version >> 8 & 255).\(version & 255)"]
    }
}
