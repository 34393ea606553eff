import HTTPTypes

/// The parts of an HTTP request that determine its ``ThumbnailRequest``.
struct RequestKey: Sendable {
    /// All header fields of the key, for `Vary` of a response that may depend on any of them.
    static let variedFields = [HTTPField.Name.accept, .pixelRatioHint, .widthHint].map(\.rawName)
        .joined(separator: ", ")

    /// The path and query, as received.
    let target: String

    /// The field `Accept`.
    let accept: String?

    /// The field `Sec-CH-DPR`: the device pixel ratio.
    let pixelRatio: String?

    /// The field `Sec-CH-Width`: the width of the image in physical pixels.
    let width: String?

    /// Creates the key of a request with this head.
    init(_ head: HTTPRequest) {
        target = head.path ?? ""
        accept = head.headerFields[.accept]
        pixelRatio = head.headerFields[.pixelRatioHint]
        width = head.headerFields[.widthHint]
    }

    /// The approximate memory needed to cache the parsed request under this key.
    var byteCount: Int { parts.reduce(4096) { $0 + $1.utf8.count } }

    private var parts: [String] { [target] + [accept, pixelRatio, width].compactMap(\.self) }
}

extension RequestKey: Hashable {
    /// Returns whether all parts are equal byte for byte. Canonically equivalent spellings differ: a signature is that of
    /// the bytes, and each spelling may name a different source.
    static func == (left: RequestKey, right: RequestKey) -> Bool {
        left.target.hasBytes(of: right.target) && (left.accept ?? "").hasBytes(of: right.accept ?? "")
            && (left.pixelRatio ?? "").hasBytes(of: right.pixelRatio ?? "")
            && (left.width ?? "").hasBytes(of: right.width ?? "")
    }

    /// Hashes the bytes of all parts, so that the spellings of one text do not collide. An empty field determines the same
    /// request as a missing one.
    func hash(into hasher: inout Hasher) {
        target.hashBytes(into: &hasher)
        (accept ?? "").hashBytes(into: &hasher)
        (pixelRatio ?? "").hashBytes(into: &hasher)
        (width ?? "").hashBytes(into: &hasher)
    }
}

extension String {
    fileprivate func hasBytes(of other: String) -> Bool {
        var (left, right) = (self, other)
        return left.withUTF8 { left in right.withUTF8 { right in unsafe left.elementsEqual(right) } }
    }

    fileprivate func hashBytes(into hasher: inout Hasher) {
        var text = self
        hasher.combine(text.utf8.count)
        text.withUTF8 { bytes in unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes)) }
    }
}

extension HTTPField.Name {
    static let pixelRatioHint = Self("Sec-CH-DPR") ?? .accept
    static let widthHint = Self("Sec-CH-Width") ?? .accept
}
