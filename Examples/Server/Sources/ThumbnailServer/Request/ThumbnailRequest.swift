import Darkroom
import HTTPTypes
import ServerPlatform

/// A parsed request for a thumbnail, including everything that its header fields determine.
struct ThumbnailRequest {
    /// The URL of the source, and the options of the load, including the format of the file.
    let image: PreparedRequest

    /// The URL of the source as the path names it.
    let source: String

    /// The time at which the signature expires.
    let expiry: Date?

    /// The header fields that the response depends on, for `Vary`.
    let variedFields: [String]

    /// Whether the source is a sample.
    var isSample: Bool { source.utf8.starts(with: SourcePolicy.samplePrefix.utf8) }

    /// Whether the format depends on what the client accepts.
    var isNegotiated: Bool { variedFields.contains("Accept") }

    /// The client hints that the options use, for `Accept-CH`.
    let acceptedHints: [String]

    /// The source in the caches; `nil` if nothing is cached.
    let cachedSource: PurgeWatch.Source?

    /// The header fields of the latest response.
    let recentFields = RecentFields()

    /// Creates a request for `image`, whose source the path names `source`.
    init(
        image: PreparedRequest, source: String = "", expiry: Date?, variedFields: [String], acceptedHints: [String]
    ) {
        self.image = image
        self.source = source
        self.expiry = expiry
        self.variedFields = variedFields
        self.acceptedHints = acceptedHints
        cachedSource = (image.key?.source).map { PurgeWatch.Source($0) }
    }

    /// Throws a ``Problem`` if the signature has expired.
    func checkExpiry() throws(Problem) {
        if let expiry { try Self.checkExpiry(expiry) }
    }

    /// Throws a ``Problem`` if the time `expiry` of a signature has passed.
    static func checkExpiry(_ expiry: Date) throws(Problem) {
        if expiry < .now { throw Problem(.forbidden, "the signature has expired") }
    }
}

/// A request for a thumbnail with its head.
struct RecognizedRequest {
    let head: HTTPRequest
    let thumbnail: ThumbnailRequest
}
