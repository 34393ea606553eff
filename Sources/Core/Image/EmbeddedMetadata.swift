package import DarkroomPlatform

/// Collects the XMP, the IPTC metadata and the comments of a file while its header is read.
///
/// The first packet of each kind counts. Whatever exceeds `limits.metadataByteCount` is ignored, because the pixels do
/// not depend on it.
package struct EmbeddedMetadata: Sendable {
    /// The XMP packet.
    package private(set) var xmp: XMP?

    /// The IPTC metadata.
    package private(set) var iptc: Data?

    /// The comments in file order.
    package private(set) var comments: [String] = []

    private var commentByteCount = 0

    /// Creates an empty collection.
    package init() {}

    /// Adds an XMP packet.
    package mutating func add(xmp bytes: Data, limits: DecodeLimits) {
        guard xmp == nil, bytes.count <= limits.metadataByteCount else { return }
        xmp = XMP(bytes)
    }

    /// Adds IPTC metadata.
    package mutating func add(iptc bytes: Data, limits: DecodeLimits) {
        guard iptc == nil, !bytes.isEmpty, bytes.count <= limits.metadataByteCount else { return }
        iptc = Data(bytes)
    }

    /// Adds a comment: UTF-8, or else Latin-1. A final zero is dropped.
    package mutating func add(comment bytes: Data, limits: DecodeLimits) {
        add(comment: bytes, limits: limits) { String(validating: $0, as: UTF8.self) ?? String(latin1: $0) }
    }

    /// Adds a comment in Latin-1. A final zero is dropped.
    package mutating func add(latin1Comment bytes: Data, limits: DecodeLimits) {
        add(comment: bytes, limits: limits) { String(latin1: $0) }
    }

    private mutating func add(comment bytes: Data, limits: DecodeLimits, decode: (Data) -> String) {
        let bytes = bytes.last == 0 ? bytes.dropLast() : bytes
        guard !bytes.isEmpty, bytes.count <= limits.metadataByteCount - commentByteCount else { return }
        commentByteCount += bytes.count
        comments.append(decode(bytes))
    }

    /// Adds the collected metadata to `info`.
    package func complete(_ info: inout ImageInfo) {
        info.xmp = xmp
        info.iptc = iptc
        info.comments = comments
    }
}

extension String {
    /// Creates a string of Latin-1 text.
    fileprivate init(latin1 bytes: some Sequence<UInt8>) {
        self.init(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
    }
}
