import HTTPTypes

/// The parts of an HTTP request that determine its ``ThumbnailRequest``.
struct RequestKey: Hashable, Sendable {
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
    var byteCount: Int {
        let texts = [target, accept, pixelRatio, width]
        return 4096 + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}

extension HTTPField.Name {
    static let pixelRatioHint = Self("Sec-CH-DPR") ?? .accept
    static let widthHint = Self("Sec-CH-Width") ?? .accept
}
