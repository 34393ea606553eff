import HTTPTypes

/// The parts of `/{signature|insecure}/{options}/{source}`, as they came: percent-encoded, with the query.
struct ThumbnailPath {
    /// The signature, or `insecure`.
    let signature: Substring

    /// What the signature is about, to the byte: a slash, the options, a slash and the source.
    let signedText: Substring

    /// What is to be made of the picture; empty for nothing, which a path also writes as `-`.
    let options: String

    /// Where the picture is.
    let source: Substring

    /// The parts of `target`, the path and query of a request behind the mount point.
    init(_ target: Substring) throws(Problem) {
        guard target.utf8.count <= 8192 else { throw Problem(.uriTooLong, "the path has more than 8,192 bytes") }
        let parts = target.drop { $0 == "/" }.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, !parts[2].isEmpty else {
            throw Problem(.badRequest, "the path is /{signature or insecure}/{options}/{source}")
        }
        signature = parts[0]
        signedText = target[target.index(before: parts[1].startIndex)...]
        options = parts[1] == "-" ? "" : String(parts[1])
        source = parts[2]
    }
}
