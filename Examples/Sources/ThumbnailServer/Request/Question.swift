import HTTPTypes
import Hummingbird

/// All of a request on which it depends what is asked for.
struct Question: Hashable, Sendable {
    /// Path and query, as they came.
    let target: String

    /// The field `Accept`.
    let accept: String?

    /// The field `Sec-CH-DPR`: pixels of the screen for one of the page.
    let pixelRatio: String?

    /// The field `Sec-CH-Width`: the picture's width in pixels of the screen.
    let width: String?

    /// That of `request`.
    init(_ request: Request) {
        target = request.head.path ?? ""
        accept = request.headers[.accept]
        pixelRatio = request.headers[.pixelRatioHint]
        width = request.headers[.widthHint]
    }

    /// About what remembering its answer takes.
    var byteCount: Int {
        let texts = [target, accept, pixelRatio, width]
        return 4096 + texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
    }
}

extension HTTPField.Name {
    static let pixelRatioHint = Self("Sec-CH-DPR") ?? .accept
    static let widthHint = Self("Sec-CH-Width") ?? .accept
}
