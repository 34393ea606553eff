import Darkroom
import NIOCore

/// An encoded result in the terms of HTTP.
struct Representation: Sendable {
    private let result: EncodedResult

    init(_ result: EncodedResult) { self.result = result }

    /// The body of the response.
    var body: ByteBuffer { ByteBuffer(bytes: result.data) }

    /// The format of the file.
    var format: ImageFormat { result.file.format }

    /// The strong validator, which identifies the bytes.
    var entityTag: String { "\"\(result.file.digest)\"" }

    /// The value of the field `Cache-Control`. Results of local files, whose origin sets no lifetime, have that of
    /// `settings`.
    func cacheControl(_ settings: ThumbnailSettings) -> String {
        guard let freshness = result.freshness, let version = result.version else { return "no-store" }
        let audience = freshness.isPrivate ? "private" : "public"
        let seconds = freshness.secondsLeft ?? settings.lifetime
        guard seconds >= 1 else { return "\(audience), no-cache" }
        let grace = version.isLocal ? settings.staleWhileRevalidate : freshness.staleWhileRevalidate
        let suffix = grace >= 1 ? ", stale-while-revalidate=\(Int(min(grace, 31_536_000)))" : ""
        return "\(audience), max-age=\(Int(min(seconds, 31_536_000)))\(suffix)"
    }
}
