// Declared here, so that an app with two plug-ins for one format can write `.avif` without ambiguity.
extension ImageFormat {
    /// AV1 Image File Format. Darkroom has no coder for it; plug-ins may.
    public static let avif = ImageFormat(
        identifier: "public.avif", mimeType: "image/avif", fileExtension: "avif",
        signatures: ["????ftypavif", "????ftypavis"])

    /// HEIF with HEVC-coded images. Darkroom has no coder for it; plug-ins may.
    public static let heic = ImageFormat(
        identifier: "public.heic", mimeType: "image/heic", fileExtension: "heic",
        signatures: ["????ftypheic", "????ftypheix", "????ftyphevc", "????ftyphevx"])

    /// HEIF whose signature does not identify the codec. Darkroom has no coder for it; plug-ins may.
    public static let heif = ImageFormat(
        identifier: "public.heif", mimeType: "image/heif", fileExtension: "heif",
        signatures: ["????ftypmif1", "????ftypmsf1"])

    /// JPEG XL, bare or in a container. Darkroom has no coder for it; plug-ins may.
    public static let jpegXL = ImageFormat(
        identifier: "public.jpeg-xl", mimeType: "image/jxl", fileExtension: "jxl",
        signatures: ["\u{FF}\u{0A}", "\u{0}\u{0}\u{0}\u{0C}JXL "])

    /// Scalable Vector Graphics, recognized by its end, because any XML or HTML may start alike. Darkroom has no coder
    /// for it; plug-ins may.
    public static let svg = ImageFormat(
        identifier: "public.svg-image", mimeType: "image/svg+xml", fileExtension: "svg", signatures: [])

    /// Tagged Image File Format, and BigTIFF. Darkroom has no coder for it; plug-ins may.
    public static let tiff = ImageFormat(
        identifier: "public.tiff", mimeType: "image/tiff", fileExtension: "tiff",
        signatures: ["II*\u{0}", "MM\u{0}*", "II+\u{0}", "MM\u{0}+"])

    /// Windows bitmap. Darkroom has no coder for it; plug-ins may.
    public static let bmp = ImageFormat(
        identifier: "com.microsoft.bmp", mimeType: "image/bmp", fileExtension: "bmp", signatures: ["BM"])

    /// Windows icon or cursor. Darkroom has no coder for it; plug-ins may.
    public static let ico = ImageFormat(
        identifier: "com.microsoft.ico", mimeType: "image/vnd.microsoft.icon", fileExtension: "ico",
        signatures: ["\u{0}\u{0}\u{1}\u{0}", "\u{0}\u{0}\u{2}\u{0}"])
}
