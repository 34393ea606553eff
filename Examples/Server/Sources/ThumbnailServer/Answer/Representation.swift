import Crypto
import Darkroom
import Foundation
import NIOCore

/// A picture as it goes over the wire.
struct Representation: Sendable {
    /// The file.
    let body: ByteBuffer

    /// Its format.
    let format: ImageFormat

    /// A strong validator: other bytes have another one.
    let entityTag: String

    /// Of which version of the original it was made; `nil` when that must not be kept.
    let original: OriginalVersion?

    /// When it was made, or its origin last said that it still holds.
    let confirmedAt: Date

    /// The file `data`.
    init(_ data: Data, _ format: ImageFormat, original: OriginalVersion?, confirmedAt: Date) {
        body = ByteBuffer(bytes: data)
        self.format = format
        entityTag = "\"" + Data(SHA256.hash(data: data).prefix(15)).base64URL + "\""
        self.original = original
        self.confirmedAt = confirmedAt
    }

    /// The same file after its origin was asked.
    init(_ other: Representation, original: OriginalVersion?, confirmedAt: Date) {
        body = other.body
        format = other.format
        entityTag = other.entityTag
        self.original = original
        self.confirmedAt = confirmedAt
    }

    /// How long it may be used, and in which way.
    func age(_ settings: ThumbnailSettings, at now: Date) -> Age {
        let freshness = original?.freshness
        let end = freshness?.expires ?? confirmedAt + settings.lifetime
        let left = end.timeIntervalSince(now)
        let said = freshness?.staleWhileRevalidate ?? 0
        let isUnsaid = freshness?.expires == nil
        let grace = freshness?.mustRevalidate == true ? 0 : max(said, isUnsaid ? settings.staleWhileRevalidate : 0)
        return Age(
            secondsLeft: left, graceSeconds: grace, isKept: original != nil, isPrivate: freshness?.isPrivate ?? false)
    }

    /// Where a representation stands between its making and its end.
    struct Age {
        /// For how many more seconds it is fresh; below 0 it is not.
        let secondsLeft: Double

        /// For how many seconds after that it may be used while its origin is asked.
        let graceSeconds: Double

        /// Whether it may be kept at all.
        let isKept: Bool

        /// Whether its origin means it for one user alone.
        let isPrivate: Bool

        /// Whether it may be used without asking.
        var isFresh: Bool { secondsLeft > 0 }

        /// Whether it may be used while somebody asks.
        var isUsable: Bool { secondsLeft > -graceSeconds }

        /// The field `Cache-Control` of an answer with it.
        var cacheControl: String {
            guard isKept else { return "no-store" }
            let audience = isPrivate ? "private" : "public"
            guard secondsLeft >= 1 else { return "\(audience), no-cache" }
            let seconds = Int(min(secondsLeft, 31_536_000))
            let grace = graceSeconds >= 1 ? ", stale-while-revalidate=\(Int(min(graceSeconds, 31_536_000)))" : ""
            return "\(audience), max-age=\(seconds)\(grace)"
        }
    }
}
