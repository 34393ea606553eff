import Darkroom
import HTTPTypes

extension Problem {
    /// Creates the problem that describes `error` to a client.
    ///
    /// It repeats only messages about the request itself. Other messages name files, hosts, addresses and settings, and
    /// belong in the log. An origin without an address, one with a forbidden address and one that does not respond give
    /// the same problem, so that clients cannot probe the server's network for names.
    init(_ error: ImageError) {
        let error = error.firstFailure
        let (status, detail) = error.isAboutRequest ? (.badRequest, error.message) : error.publicFace
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
    /// The original failure of the URL, if this error only refuses to try again.
    fileprivate var firstFailure: ImageError {
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

    /// The status, which shows who is at fault, and a message that reveals nothing else.
    fileprivate var publicFace: (HTTPResponse.Status, String) {
        switch kind {
        case .invalidURL, .noLoader: (.badRequest, "the source cannot be loaded")
        case .noCoder, .contentType:
            (.unsupportedMediaType, "the source is no picture of a format that this server reads")
        case .overLimit where stage == .load: (.contentTooLarge, "the source has more bytes than this server takes")
        case .overLimit:
            (.unprocessableContent, "the picture takes more pixels, frames, memory or time than this server allows")
        case .corrupt, .incomplete, .unsupported:
            (.unprocessableContent, "the source is broken, or of a kind that cannot be read")
        case .status where [404, 410].contains(response?.status): (.notFound, "the origin does not have the source")
        case .status: (.badGateway, "the origin does not answer with a picture")
        case .network, .refused: (.badGateway, "the origin cannot be reached")
        case .timedOut: (.gatewayTimeout, "the origin, or the work on its picture, takes too long")
        case .busy: (.tooManyRequests, "too many requests wait already")
        case .cancelled: (.serviceUnavailable, "the work was cancelled")
        default: (.internalServerError, "the server failed")
        }
    }
}
