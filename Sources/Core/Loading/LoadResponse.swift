#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What a loader brings.
public struct LoadResponse: Sendable {
    /// The forms a picture can come in.
    public enum Body: Sendable {
        /// All bytes at once.
        case data(Data)
        /// Bytes as they arrive. The manager gathers and counts them, and stops reading at the limit.
        case chunks(any AsyncSequence<Data, any Error> & Sendable)
        /// A picture that was decoded elsewhere.
        case image(Image)
        /// What the cache holds is still right. Only for a request with `stored`.
        case notModified
    }

    /// The picture.
    public var body: Body

    /// How many bytes will come, if that is known.
    public var expectedByteCount: Int?

    /// How an HTTP origin answered.
    public var metadata: ResponseMetadata?

    /// How the redirects answered that led to `metadata`, in their order. What came is fresh only while they are, too.
    public var redirects: [ResponseMetadata] = []

    /// The header fields that were sent, with names in lower case. `nil` for those that `requestFields(for:)` tells.
    ///
    /// Of secrets it is enough that there was one, on any hop: `*` will do.
    public var requestFields: [String: String]?

    /// How the bytes were reached, for loaders that care who may have them; `nil` when the loader does not tell.
    public var route: SourceRoute?

    /// A response of `body`.
    public init(_ body: Body, expectedByteCount: Int? = nil, metadata: ResponseMetadata? = nil) {
        self.body = body
        self.expectedByteCount = expectedByteCount
        self.metadata = metadata
    }
}

/// How an HTTP origin answered: kept beside the bytes, and needed to ask again whether they still hold.
public struct ResponseMetadata: Hashable, Sendable, Codable {
    /// The URL that answered, after redirects.
    public var url: URL

    /// The status code.
    public var status: Int

    /// The header fields. Names are in lower case, and fields of one name are joined with `, `.
    public var headers: [String: String]

    /// An answer of `status` from `url`.
    public init(url: URL, status: Int, headers: [String: String] = [:]) {
        self.url = url
        self.status = status
        self.headers = headers
    }
}
