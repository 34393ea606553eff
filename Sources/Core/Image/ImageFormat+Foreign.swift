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
}
