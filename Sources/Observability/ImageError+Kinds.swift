#if Observability
    import DarkroomCore

    extension ImageError.Kind {
        /// The kinds defined by the framework.
        static let known: Set<Self> = [
            .invalidURL, .noLoader, .noCoder, .unsupported, .corrupt, .incomplete, .overLimit, .refused, .network,
            .status, .contentType, .timedOut, .cancelled, .cacheOnlyMiss, .busy, .crashed, .internal,
        ]

        /// The kind as a label. Labels come from a closed set, so the kinds of plug-ins share one.
        var label: String { Self.known.contains(self) ? rawValue : "other" }
    }

    extension ImageError {
        /// Whether the failure was requested by the caller, as by cancelling.
        var isIntended: Bool { kind == .cancelled || kind == .cacheOnlyMiss }

        /// Returns a copy that can be recorded: kind, stage and message only, with the secrets in URLs redacted.
        func redacted(by redaction: URLRedaction) -> ImageError { ImageError(kind, stage, redaction.text(message)) }
    }

    extension Error {
        /// Whether a cache operation was only cancelled, because its caller no longer waited.
        var isCancellation: Bool { self is CancellationError || (self as? ImageError)?.kind == .cancelled }
    }
#endif
