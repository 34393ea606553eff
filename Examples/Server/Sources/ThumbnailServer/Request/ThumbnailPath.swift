import HTTPTypes

/// The parts of `/{signature|insecure}/{options}/{source}` as received: percent-encoded, and with the query.
struct ThumbnailPath {
    /// The signature, or `insecure`.
    let signature: Substring

    /// The signed bytes: a slash, the options, a slash and the source.
    let signedText: Substring

    /// The options; empty for none, which a path writes as `-`.
    let options: String

    /// The source of the image.
    let source: Substring

    /// Parses `target`, the path and query of a request below the mount path. No part may be empty, so that every path
    /// has one spelling.
    init(_ target: Substring) throws(Problem) {
        let slash = UInt8(ascii: "/")
        guard target.utf8.count <= 8192 else { throw Problem(.uriTooLong, "the path has more than 8,192 bytes") }
        let parts = target.utf8.dropFirst().split(separator: slash, maxSplits: 2, omittingEmptySubsequences: false)
        guard target.utf8.first == slash, parts.count == 3, parts.allSatisfy({ !$0.isEmpty }) else {
            throw Problem(.badRequest, "the path must be /{signature or insecure}/{options}/{source}")
        }
        signature = Substring(parts[0])
        signedText = Substring(target.utf8[parts[0].endIndex...])
        options = parts[1].elementsEqual("-".utf8) ? "" : String(Substring(parts[1]))
        source = Substring(parts[2])
    }
}
