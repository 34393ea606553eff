/// The error of a failed operation, and the only error type that Darkroom's interface throws.
public struct ImageError: Error, Sendable {
    /// The kind of failure. Plug-ins may add their own.
    public struct Kind: RawRepresentable, Hashable, Sendable {
        /// The stable name, such as `overLimit`, which the command line prints.
        public let rawValue: String

        /// Creates a kind of this name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The URL is empty or invalid.
        public static let invalidURL = Kind(rawValue: "invalidURL")
        /// No installed loader accepts the URL.
        public static let noLoader = Kind(rawValue: "noLoader")
        /// No installed coder accepts the data.
        public static let noCoder = Kind(rawValue: "noCoder")
        /// The feature is known but not supported; no data was lost.
        public static let unsupported = Kind(rawValue: "unsupported")
        /// The data is not what it claims to be.
        public static let corrupt = Kind(rawValue: "corrupt")
        /// The data ends prematurely. More data may help.
        public static let incomplete = Kind(rawValue: "incomplete")
        /// A limit was exceeded. The message names the limit, the value, and the setting to change.
        public static let overLimit = Kind(rawValue: "overLimit")
        /// The request was rejected, or the URL failed recently.
        public static let refused = Kind(rawValue: "refused")
        /// The origin server could not be reached, or the connection was lost.
        public static let network = Kind(rawValue: "network")
        /// The origin server responded with an unsuccessful status.
        public static let status = Kind(rawValue: "status")
        /// The origin server responded with something other than an image.
        public static let contentType = Kind(rawValue: "contentType")
        /// The operation took too long.
        public static let timedOut = Kind(rawValue: "timedOut")
        /// The caller cancelled the operation.
        public static let cancelled = Kind(rawValue: "cancelled")
        /// The caches do not have the image, and the request allowed nothing else.
        public static let cacheOnlyMiss = Kind(rawValue: "cacheOnlyMiss")
        /// Too much work is waiting already, or the system has no file or memory left. The same request may succeed later.
        public static let busy = Kind(rawValue: "busy")
        /// The worker process crashed.
        public static let crashed = Kind(rawValue: "crashed")
        /// There is a bug in the framework or in a plug-in.
        public static let `internal` = Kind(rawValue: "internal")
    }

    /// The stage of the request at which the error occurred.
    public enum Stage: String, Hashable, Sendable {
        /// Preparing the request, before any lookup.
        case request
        /// Reading or writing a cache.
        case cache
        /// Loading the data.
        case load
        /// Decoding data into pixels.
        case decode
        /// Transforming pixels.
        case transform
        /// Encoding pixels into data.
        case encode
    }

    /// The kind of failure.
    public let kind: Kind

    /// The stage at which it occurred.
    public let stage: Stage

    /// The description for users, in one sentence.
    public let message: String

    /// The error that a plug-in or library threw.
    public let underlying: (any Error)?

    /// The response that caused the error: for errors of kind `status` and `contentType`, and any other for which the
    /// loader has one.
    public let response: ResponseMetadata?

    /// Creates an error of `kind` in `stage`. `message` is one sentence that begins in lowercase and has no full stop.
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

    /// The error of a cancelled load.
    public static let cancelled = ImageError(.cancelled, .load, "the load was cancelled")

    /// The error of a cache miss where only the caches may be used.
    static let cacheOnlyMiss = ImageError(
        .cacheOnlyMiss, .cache, "the image is not in the caches, and only the caches may be used")

    /// Returns the error for a value that exceeds the property of ``DecodeLimits`` named `limit`.
    public static func overLimit(_ limit: String, value: Int, bound: Int, stage: Stage = .decode) -> ImageError {
        ImageError(
            .overLimit, stage,
            "\(limit) is \(value), and the limit is \(bound); raise it with context.limits.\(limit)")
    }

    /// Whether the data is at fault, so that other data could help.
    var isDataError: Bool { [.corrupt, .incomplete, .noCoder].contains(kind) || kind == .crashed && stage == .decode }

    /// Whether loading the same URL again would most likely fail the same way: the URL is invalid, or its bytes, all of
    /// which have arrived, are no whole image, or end the process that decodes them.
    package var isPermanent: Bool {
        [.invalidURL, .corrupt, .noCoder].contains(kind) || [.incomplete, .crashed].contains(kind) && stage == .decode
    }

    /// Runs `body`, and converts any error other than an ``ImageError`` into one of `stage`.
    static func wrap<Result>(_ stage: Stage, _ body: () throws -> Result) throws(ImageError) -> Result {
        do {
            return try body()
        } catch {
            throw ImageError(error, in: stage)
        }
    }

    /// Creates an error of `stage` around `error`, or a copy of it if it is an ``ImageError`` already.
    package init(_ error: any Error, in stage: Stage) {
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
    /// The message with kind and stage.
    public var description: String { "\(message) (\(kind), \(stage))" }
}
