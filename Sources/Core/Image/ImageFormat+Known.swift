extension ImageFormat {
    /// Formats that Darkroom can name, whether or not a coder for them is installed.
    ///
    /// Formats without signatures are never recognized by their bytes: HEIC sequences may start like stills, and raw
    /// camera formats are built on TIFF.
    public static let known: [ImageFormat] = [
        .png, .jpeg, .gif, .webp,
        .tiff, .bmp, .ico, .heic,
        ImageFormat(
            identifier: "public.heics", mimeType: "image/heic-sequence", fileExtension: "heics", signatures: []),
        .heif,
        .avif,
        .jpegXL,
        ImageFormat(
            identifier: "com.adobe.pdf", mimeType: "application/pdf", fileExtension: "pdf",
            signatures: ["%PDF"]),
        .svg,
        ImageFormat(
            identifier: "public.camera-raw-image", mimeType: "image/x-raw", fileExtension: "raw", signatures: []),
    ]

    /// The alternative names of formats, with the file extensions that they stand for.
    private static let aliases = [
        "jpg": "jpeg", "jpe": "jpeg", "jfif": "jpeg", "image/jpg": "jpeg", "image/pjpeg": "jpeg",
        "apng": "png", "image/apng": "png", "image/vnd.mozilla.apng": "png", "image/x-png": "png",
        "tif": "tiff", "image/tif": "tiff", "image/x-tiff": "tiff",
        "dib": "bmp", "image/x-bmp": "bmp", "image/x-ms-bmp": "bmp",
        "cur": "ico", "image/x-icon": "ico", "image/ico": "ico", "image/x-win-bitmap": "ico",
        "image/x-webp": "webp", "image/heif-sequence": "heif", "application/x-pdf": "pdf",
    ]

    /// Returns the known format of `data` by its complete signature, or its last hundred bytes for SVG.
    public static func sniff(_ data: some Collection<UInt8>) -> ImageFormat? {
        known.first { $0.matches(data) } ?? (endsLikeSVG(data) ? .svg : nil)
    }

    private static func endsLikeSVG(_ data: some Collection<UInt8>) -> Bool {
        guard data.first == UInt8(ascii: "<") else { return false }
        return Array(data.suffix(100)).contains("</svg>".utf8)
    }

    /// Creates the known format with this file extension, media type or identifier, regardless of case.
    ///
    /// Common aliases of media types are accepted, and their parameters ignored.
    public init?(named name: String) {
        let name = name.mediaType
        let canonical = Self.aliases[name] ?? name
        let found = Self.known.first { [$0.fileExtension, $0.mimeType, $0.identifier].contains(canonical) }
        guard let found else { return nil }
        self = found
    }
}
