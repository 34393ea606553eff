import Darkroom
import HTTPTypes

extension Problem {
    /// The problem of a sample that does not exist.
    static let noSample = Problem(.notFound, "the sample does not exist")

    /// Creates the problem that describes `error` to a client.
    ///
    /// It contains only messages about the request itself. Other messages name files, hosts, addresses and settings, and
    /// belong in the log. An origin server whose name does not resolve, one with a forbidden address and one that does not
    /// respond cause the same problem, so that clients cannot probe the server's network.
    init(_ error: ImageError) {
        let error = error.firstFailure
        let (status, detail) = error.isAboutRequest ? (.badRequest, error.message) : error.publicDescription
        self.init(status, detail)
        kind = status == .badGateway && error.kind == .refused ? ImageError.Kind.network.rawValue : error.kind.rawValue
        switch status {
        case .tooManyRequests: retryAfter = 2
        case .serviceUnavailable, .gatewayTimeout, .badGateway: retryAfter = 10
        default: retryAfter = nil
        }
    }
}

extension ImageError {
    /// The original error of the URL, if this error only reports a cached failure.
    var firstFailure: ImageError {
        kind == .refused ? underlying as? ImageError ?? self : self
    }

    /// Whether the message concerns only the request itself.
    fileprivate var isAboutRequest: Bool {
        switch kind {
        case .overLimit: stage == .request
        case .unsupported: stage == .request || stage == .transform
        default: false
        }
    }

    /// The status, which shows whose error it is, and a message that reveals nothing else.
    fileprivate var publicDescription: (HTTPResponse.Status, String) {
        switch kind {
        case .invalidURL, .noLoader: (.badRequest, "the source cannot be loaded")
        case .noCoder, .contentType:
            (.unsupportedMediaType, "the source is not an image in a supported format")
        case .overLimit where stage == .load: (.contentTooLarge, "the source has more bytes than the server allows")
        case .overLimit:
            (.unprocessableContent, "the image requires more pixels, frames, memory or time than the server allows")
        case .crashed where stage == .decode: (.unprocessableContent, "the source cannot be decoded")
        case .corrupt, .incomplete, .unsupported:
            (.unprocessableContent, "the source is corrupt, or uses an unsupported feature of its format")
        case .status where [404, 410].contains(response?.status):
            (.notFound, "the origin server does not have the source")
        case .status: (.badGateway, "the origin server did not return an image")
        case .network, .refused: (.badGateway, "the origin server is unreachable")
        case .timedOut: (.gatewayTimeout, "the origin server or the processing of the image took too long")
        case .busy: (.tooManyRequests, "too many requests are waiting")
        case .cancelled: (.serviceUnavailable, "the processing of the image was cancelled")
        default: (.internalServerError, "an internal error occurred")
        }
    }
}
