/// A file format. Open: a plug-in adds its own as a static member.
public struct ImageFormat: Sendable {
    /// The uniform type identifier, such as `public.png`; it alone decides equality.
    public let identifier: String

    /// The media type, such as `image/png`.
    public let mimeType: String

    /// The usual file extension, without a dot.
    public let fileExtension: String

    /// How its files start. Several, because one format may start in many ways.
    public let signatures: [Signature]

    /// A format of its own.
    public init(identifier: String, mimeType: String, fileExtension: String, signatures: [Signature]) {
        self.identifier = identifier
        self.mimeType = mimeType
        self.fileExtension = fileExtension
        self.signatures = signatures
    }

    /// Whether `data` starts as files of this format do.
    public func matches(_ data: some Collection<UInt8>) -> Bool {
        signatures.contains { $0.matches(data) }
    }
}

extension ImageFormat: Hashable {
    /// Whether both have the same identifier.
    public static func == (left: ImageFormat, right: ImageFormat) -> Bool { left.identifier == right.identifier }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension ImageFormat: CustomStringConvertible {
    /// The file extension, which is the shortest of a format's names.
    public var description: String { fileExtension }
}

extension ImageFormat {
    /// Portable Network Graphics, animated or not.
    public static let png = ImageFormat(
        identifier: "public.png", mimeType: "image/png", fileExtension: "png",
        signatures: ["\u{89}PNG\r\n\u{1A}\n"])

    /// JPEG, baseline or progressive.
    public static let jpeg = ImageFormat(
        identifier: "public.jpeg", mimeType: "image/jpeg", fileExtension: "jpeg",
        signatures: ["\u{FF}\u{D8}\u{FF}"])

    /// Graphics Interchange Format, animated or not.
    public static let gif = ImageFormat(
        identifier: "com.compuserve.gif", mimeType: "image/gif", fileExtension: "gif",
        signatures: ["GIF87a", "GIF89a"])

    /// WebP, lossy, lossless or animated.
    public static let webp = ImageFormat(
        identifier: "org.webmproject.webp", mimeType: "image/webp", fileExtension: "webp",
        signatures: ["RIFF????WEBP"])

    /// Formats that Darkroom can name, whether or not a coder for them is installed.
    public static let known: [ImageFormat] = [
        .png, .jpeg, .gif, .webp,
        ImageFormat(
            identifier: "public.tiff", mimeType: "image/tiff", fileExtension: "tiff",
            signatures: ["II*\u{0}", "MM\u{0}*"]),
        ImageFormat(
            identifier: "com.microsoft.bmp", mimeType: "image/bmp", fileExtension: "bmp",
            signatures: ["BM"]),
        ImageFormat(
            identifier: "public.heic", mimeType: "image/heic", fileExtension: "heic",
            signatures: ["????ftypheic", "????ftypheix", "????ftyphevc", "????ftyphevx"]),
        ImageFormat(
            identifier: "public.heif", mimeType: "image/heif", fileExtension: "heif",
            signatures: ["????ftypmif1", "????ftypmsf1"]),
        ImageFormat(
            identifier: "public.avif", mimeType: "image/avif", fileExtension: "avif",
            signatures: ["????ftypavif", "????ftypavis"]),
        ImageFormat(
            identifier: "public.jpeg-xl", mimeType: "image/jxl", fileExtension: "jxl",
            signatures: ["\u{FF}\u{0A}", "\u{0}\u{0}\u{0}\u{0C}JXL "]),
        ImageFormat(
            identifier: "com.adobe.pdf", mimeType: "application/pdf", fileExtension: "pdf",
            signatures: ["%PDF"]),
    ]

    /// The known format of `data`, told by its full signature.
    public static func sniff(_ data: some Collection<UInt8>) -> ImageFormat? {
        known.first { $0.matches(data) }
    }

    /// The known format with this file extension, media type or identifier, letter case apart.
    public init?(named name: String) {
        let name = name.lowercased()
        let found = Self.known.first { [$0.fileExtension, $0.mimeType, $0.identifier].contains(name) }
        switch (found, name) {
        case (let format?, _): self = format
        case (nil, "jpg"): self = .jpeg
        case (nil, "tif"): self = ImageFormat(named: "tiff")!  // in the list above
        default: return nil
        }
    }
}

extension ImageFormat: Codable {
    private enum CodingKeys: CodingKey {
        case identifier, mimeType, fileExtension
    }

    /// Reads the names; the signatures are those of the known format, if it is one.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let identifier = try values.decode(String.self, forKey: .identifier)
        self.init(
            identifier: identifier,
            mimeType: try values.decode(String.self, forKey: .mimeType),
            fileExtension: try values.decode(String.self, forKey: .fileExtension),
            signatures: Self.known.first { $0.identifier == identifier }?.signatures ?? [])
    }

    /// Writes the names without the signatures.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(identifier, forKey: .identifier)
        try values.encode(mimeType, forKey: .mimeType)
        try values.encode(fileExtension, forKey: .fileExtension)
    }
}
