public import DarkroomPlatform

/// The response of a loader.
public struct LoadResponse: Sendable {
    /// The body of a response.
    public enum Body: Sendable {
        /// All bytes at once.
        case data(Data)
        /// Bytes as they arrive. The manager collects and counts them, and stops reading at the limit.
        case chunks(any AsyncSequence<Data, any Error> & Sendable)
        /// An image decoded elsewhere.
        case image(Image)
        /// The cached bytes are still valid. Only for a request with `stored`.
        case notModified
    }

    /// The body.
    public var body: Body

    /// The expected number of bytes, if known.
    public var expectedByteCount: Int?

    /// The metadata of an HTTP response.
    public var metadata: ResponseMetadata?

    /// The redirects that led to `metadata`, in order. The response is fresh only as long as they are.
    public var redirects: [ResponseMetadata] = []

    /// The values of the `Set-Cookie` fields of the response. They are reported to the caller, and kept in memory only. A
    /// response with some is stored in no cache that several users share.
    public var setCookies: [String] = []

    /// The header fields sent, with lowercase names; `nil` for those that `requestFields(for:)` returns.
    ///
    /// The value of a secret sent on any hop may be replaced by `*`.
    public var requestFields: [String: String]?

    /// The route by which the bytes were fetched, for loaders that restrict access; `nil` if the loader does not report
    /// it.
    public var route: SourceRoute?

    /// Creates a response with `body`.
    public init(_ body: Body, expectedByteCount: Int? = nil, metadata: ResponseMetadata? = nil) {
        self.body = body
        self.expectedByteCount = expectedByteCount
        self.metadata = metadata
    }
}

/// The metadata of an HTTP response. It is stored with the bytes, and needed to revalidate them.
public struct ResponseMetadata: Hashable, Sendable, Codable {
    /// The final URL, after redirects.
    public var url: URL

    /// The status code.
    public var status: Int

    /// The header fields, with lowercase names. Fields of the same name are joined with `, `.
    public var headers: [String: String]

    /// Creates the metadata of a response from `url` with `status`.
    public init(url: URL, status: Int, headers: [String: String] = [:]) {
        self.url = url
        self.status = status
        self.headers = headers
    }
}
