import Darkroom
import HTTPTypes
import Logging

/// Logs failures that are not those of a request: a line for each, with the level `warning`.
///
/// A source whose decoder crashed has one as well, with its digest, whenever it is tried again: not for each request.
///
/// The context of a request gives all of its lines the same `hb.request.id`.
struct FailureLog {
    private let logger: Logger

    /// Creates a log that writes to `logger`.
    init(_ logger: Logger) { self.logger = logger }

    /// Logs `error`, if the server or the origin server of `thumbnail` has failed. That an origin server does not have an
    /// image is an answer: any client can ask for such images.
    func note(_ error: ImageError, of thumbnail: ThumbnailRequest?, status: HTTPResponse.Status) {
        guard status.kind == .serverError || error.isOfOrigin || error.isCrashOfDecoder else { return }
        let redaction = URLRedaction.standard
        logger.warning(
            "image failed",
            metadata: [
                "status": "\(status.code)",
                "source": .string(thumbnail.map { redaction($0.source) } ?? "-"),
                "kind": .string(error.firstFailure.kind.rawValue),
                "stage": .string(error.firstFailure.stage.rawValue),
                "reason": .string(redaction.text(error.firstFailure.message)),
            ])
    }
}

extension ImageError {
    /// Whether this load has crashed its decoder, rather than found that an earlier one did.
    fileprivate var isCrashOfDecoder: Bool { kind == .crashed && stage == .decode }

    /// Whether the origin server has failed, rather than answered that it has no image.
    fileprivate var isOfOrigin: Bool {
        let error = firstFailure
        switch error.kind {
        case .network, .timedOut: return error.stage == .load
        case .status: return ![404, 410].contains(error.response?.status)
        default: return false
        }
    }
}
