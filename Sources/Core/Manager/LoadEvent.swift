#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What happens during a load, in the order it happens.
///
/// Who joins a load under way hears at once what has happened; of progress and previews the newest.
public enum LoadEvent: Sendable {
    /// What is known of a picture before its bytes come.
    public struct Response: Sendable {
        /// The URL that answered, after redirects; `nil` when it was not told.
        public let url: URL?

        /// The status code of an HTTP answer.
        public let status: Int?

        /// The media type that the origin claims.
        public let contentType: String?

        /// How many bytes will come, if that is known.
        public let expectedByteCount: Int?
    }

    /// What the caches have, before the origin is asked whether it still holds; only with `CacheUse.refresh`.
    case cached(LoadResult)

    /// A loader was asked, and may let the transfer wait for others.
    case queued

    /// The transfer began.
    case started

    /// The origin has answered with a picture.
    case response(Response)

    /// Bytes arrived: how many so far, and how many there will be if that is known.
    case progress(receivedByteCount: Int, expectedByteCount: Int?)

    /// A picture that still lacks pixels.
    case preview(Image)

    /// The image; nothing comes after it.
    case finished(LoadResult)
}

extension LoadEvent.Response {
    init(_ response: LoadResponse) {
        url = response.metadata?.url
        status = response.metadata?.status
        contentType = response.metadata?.headers["content-type"]
        expectedByteCount = response.expectedByteCount
    }
}
