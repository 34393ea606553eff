/// Why a picture could not be had. The one error that Darkroom's interface throws.
public struct ImageError: Error, Sendable {
    /// The sort of failure. Open: a plug-in may add its own.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The name, such as `overLimit`; stable, and printed by the command line.
        public let rawValue: String

        /// A kind of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The URL is empty or cannot be understood.
        public static let invalidURL = Kind(rawValue: "invalidURL")
        /// No installed loader takes the URL.
        public static let noLoader = Kind(rawValue: "noLoader")
        /// No installed coder takes the bytes.
        public static let noCoder = Kind(rawValue: "noCoder")
        /// It is known, but not offered; nothing was lost.
        public static let unsupported = Kind(rawValue: "unsupported")
        /// The bytes are not what they claim to be.
        public static let corrupt = Kind(rawValue: "corrupt")
        /// The bytes end too early; more of them could help.
        public static let incomplete = Kind(rawValue: "incomplete")
        /// A limit forbids it; the message names limit, value and knob.
        public static let overLimit = Kind(rawValue: "overLimit")
        /// Somebody decided against it, or it failed a moment ago.
        public static let refused = Kind(rawValue: "refused")
        /// The origin could not be reached, or the connection broke.
        public static let network = Kind(rawValue: "network")
        /// The origin answered with a status that is not a success.
        public static let status = Kind(rawValue: "status")
        /// The origin sent something that is not a picture.
        public static let contentType = Kind(rawValue: "contentType")
        /// It took too long.
        public static let timedOut = Kind(rawValue: "timedOut")
        /// The caller left.
        public static let cancelled = Kind(rawValue: "cancelled")
        /// Only the caches were asked, and they do not have it.
        public static let cacheOnlyMiss = Kind(rawValue: "cacheOnlyMiss")
        /// The process that worked on it died.
        public static let crashed = Kind(rawValue: "crashed")
        /// A mistake of the framework or of a plug-in.
        public static let `internal` = Kind(rawValue: "internal")
    }

    /// Where in the way of a request it happened.
    public enum Stage: String, Hashable, Sendable {
        /// Making the key, before anything was asked.
        case request
        /// Reading or writing a cache.
        case cache
        /// Bringing the bytes.
        case load
        /// Making pixels of bytes.
        case decode
        /// Making other pixels of pixels.
        case transform
        /// Making bytes of pixels.
        case encode
    }

    /// The sort of failure.
    public let kind: Kind

    /// Where it happened.
    public let stage: Stage

    /// One sentence for a person.
    public let message: String

    /// What a plug-in or a library threw.
    public let underlying: (any Error)?

    /// The answer that it is about: of errors of status and content type, and where else a loader has one.
    public let response: ResponseMetadata?

    /// An error of `kind` in `stage`, with one sentence that begins with a small letter and has no full stop.
    public init(
        _ kind: Kind, _ stage: Stage, _ message: String, underlying: (any Error)? = nil,
        response: ResponseMetadata? = nil
    ) {
        self.kind = kind
        self.stage = stage
        self.message = message
        self.underlying = underlying
        self.response = response
    }

    /// The caller left.
    public static let cancelled = ImageError(.cancelled, .load, "the load was cancelled")

    /// Only the caches were asked.
    static let cacheOnlyMiss = ImageError(
        .cacheOnlyMiss, .cache, "the caches do not have it, and only they were asked")

    /// A refusal by a property of `DecodeLimits`, named `limit`.
    public static func overLimit(_ limit: String, value: Int, bound: Int, stage: Stage = .decode) -> ImageError {
        ImageError(
            .overLimit, stage,
            "\(limit) is \(value), and the limit is \(bound); raise it with context.limits.\(limit)")
    }

    /// Whether the bytes are to blame, so that other bytes could help.
    var isAboutBytes: Bool { [.corrupt, .incomplete, .noCoder].contains(kind) }

    /// Runs `body`, and turns whatever else it throws into an `ImageError` of `stage`.
    static func wrap<Result>(_ stage: Stage, _ body: () throws -> Result) throws(ImageError) -> Result {
        do {
            return try body()
        } catch {
            throw ImageError(error, in: stage)
        }
    }

    /// `error` itself if it is one of ours, otherwise an error of `stage` around it.
    init(_ error: any Error, in stage: Stage) {
        switch error {
        case let error as ImageError: self = error
        case is CancellationError: self = .cancelled
        default: self.init(stage == .load ? .network : .internal, stage, "\(error)", underlying: error)
        }
    }
}

extension ImageError.Kind: CustomStringConvertible {
    /// The name.
    public var description: String { rawValue }
}

extension ImageError: CustomStringConvertible {
    /// The sentence, with kind and stage.
    public var description: String { "\(message) (\(kind), \(stage))" }
}
