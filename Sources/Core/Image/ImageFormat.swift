/// A file format. Plug-ins declare further ones as static members.
public struct ImageFormat: Sendable {
    /// The uniform type identifier, such as `public.png`. Formats with equal identifiers are equal.
    public let identifier: String

    /// The media type, such as `image/png`.
    public let mimeType: String

    /// The usual file extension, without a dot.
    public let fileExtension: String

    /// The signatures of its files. A file that starts with any of them has this format. It is empty for a format without a
    /// signature, whose coder implements ``ImageCoder/canDecode(_:)``.
    public let signatures: [Signature]

    /// Creates a format.
    public init(identifier: String, mimeType: String, fileExtension: String, signatures: [Signature]) {
        self.identifier = identifier
        self.mimeType = mimeType
        self.fileExtension = fileExtension
        self.signatures = signatures
    }

    /// Returns whether `data` starts with one of the signatures.
    @inlinable public func matches(_ data: some Collection<UInt8>) -> Bool {
        signatures.contains { $0.matches(data) }
    }
}

extension ImageFormat: Hashable {
    /// Returns whether both have the same identifier.
    public static func == (left: ImageFormat, right: ImageFormat) -> Bool { left.identifier == right.identifier }

    /// Hashes the identifier.
    public func hash(into hasher: inout Hasher) { hasher.combine(identifier) }
}

extension ImageFormat: CustomStringConvertible {
    /// The file extension, which is the shortest name of the format.
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
}

extension ImageFormat: Codable {
    private enum CodingKeys: CodingKey {
        case identifier, mimeType, fileExtension
    }

    /// Creates a format by decoding its names. The signatures are those of the known format with its identifier, if
    /// any.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        let identifier = try values.decode(String.self, forKey: .identifier)
        self.init(
            identifier: identifier,
            mimeType: try values.decode(String.self, forKey: .mimeType),
            fileExtension: try values.decode(String.self, forKey: .fileExtension),
            signatures: Self.known.first { $0.identifier == identifier }?.signatures ?? [])
    }

    /// Encodes the names without the signatures.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(identifier, forKey: .identifier)
        try values.encode(mimeType, forKey: .mimeType)
        try values.encode(fileExtension, forKey: .fileExtension)
    }
}
