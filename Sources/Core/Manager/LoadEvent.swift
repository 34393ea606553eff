public import DarkroomPlatform

/// An event of a load. Events are delivered in the order in which they happen.
///
/// A caller that joins a load in flight receives its past events at once, but only the newest progress and preview.
public enum LoadEvent: Sendable {
    /// The response head, as far as it is known before the body arrives.
    public struct Response: Sendable {
        /// The final URL after redirects; `nil` if the loader did not report it.
        public let url: URL?

        /// The status code of an HTTP response.
        public let status: Int?

        /// The media type that the origin server declares.
        public let contentType: String?

        /// The expected length of the body in bytes, if known.
        public let expectedByteCount: Int?
    }

    /// The cached image, delivered before the origin server is asked to revalidate it. Only with ``CacheUse/refresh``.
    case cached(LoadResult)

    /// A loader was called. The transfer may wait for others.
    case queued

    /// The transfer has started.
    case started

    /// The origin server has responded with an image.
    case response(Response)

    /// Bytes have arrived: the number so far, and the expected total if known.
    case progress(receivedByteCount: Int, expectedByteCount: Int?)

    /// A preview of the incomplete image.
    case preview(Image)

    /// The result. It is the last event.
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

extension LoadEvent: FlightEvent {
    package var coalescedKind: Int? {
        switch self {
        case .progress: 0
        case .preview: 1
        default: nil
        }
    }
}
