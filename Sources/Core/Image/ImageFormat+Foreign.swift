// Named here, so that two plug-ins for one format do not both name it, and an app that has both can still write `.avif`.
extension ImageFormat {
    /// AV1 Image File Format. Darkroom has no coder for it; plug-ins may.
    public static let avif = ImageFormat(
        identifier: "public.avif", mimeType: "image/avif", fileExtension: "avif",
        signatures: ["????ftypavif", "????ftypavis"])

    /// HEIF whose pictures are coded by HEVC. Darkroom has no coder for it; plug-ins may.
    public static let heic = ImageFormat(
        identifier: "public.heic", mimeType: "image/heic", fileExtension: "heic",
        signatures: ["????ftypheic", "????ftypheix", "????ftyphevc", "????ftyphevx"])

    /// HEIF that does not say at its start how its pictures are coded. Darkroom has no coder for it; plug-ins may.
    public static let heif = ImageFormat(
        identifier: "public.heif", mimeType: "image/heif", fileExtension: "heif",
        signatures: ["????ftypmif1", "????ftypmsf1"])

    /// JPEG XL, bare or in a container. Darkroom has no coder for it; plug-ins may.
    public static let jpegXL = ImageFormat(
        identifier: "public.jpeg-xl", mimeType: "image/jxl", fileExtension: "jxl",
        signatures: ["\u{FF}\u{0A}", "\u{0}\u{0}\u{0}\u{0C}JXL "])

    /// Scalable Vector Graphics, told by its end: its start could be that of any XML or HTML. Darkroom has no coder for it;
    /// plug-ins may.
    public static let svg = ImageFormat(
        identifier: "public.svg-image", mimeType: "image/svg+xml", fileExtension: "svg", signatures: [])
}
