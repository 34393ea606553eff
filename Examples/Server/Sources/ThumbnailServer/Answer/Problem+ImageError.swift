import Darkroom
import HTTPTypes

extension Problem {
    /// The problem of `error` for the eyes of a stranger.
    ///
    /// Only a request's own mistakes are repeated. The sentences of other errors name files, hosts, addresses and settings:
    /// they are for the log. An origin that has no address, one whose address is forbidden and one that does not answer are
    /// the same, so that a client cannot find out which names exist in the server's network.
    init(_ error: ImageError) {
        let error = error.firstFailure
        let (status, detail) = error.isAboutRequest ? (.badRequest, error.message) : error.publicFace
        self.init(status, detail)
        kind = status == .badGateway && error.kind == .refused ? ImageError.Kind.network.rawValue : error.kind.rawValue
        retryAfter = [.serviceUnavailable, .gatewayTimeout, .badGateway].contains(status) ? 10 : nil
    }
}

extension ImageError {
    /// The error that a URL failed with a moment ago, if this one is about that.
    fileprivate var firstFailure: ImageError {
        kind == .refused ? underlying as? ImageError ?? self : self
    }

    /// Whether the sentence is about nothing but what the request says.
    fileprivate var isAboutRequest: Bool {
        switch kind {
        case .overLimit: stage == .request
        case .unsupported: stage == .request || stage == .transform
        default: false
        }
    }

    /// The status that tells a client whose fault it is, and a sentence that says no more than that.
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
        case .cancelled: (.serviceUnavailable, "the work was cancelled")
        default: (.internalServerError, "the server failed")
        }
    }
}
