#if Observability
    import DarkroomCore

    extension ImageError.Kind {
        /// The kinds of the framework.
        static let known: Set<Self> = [
            .invalidURL, .noLoader, .noCoder, .unsupported, .corrupt, .incomplete, .overLimit, .refused, .network,
            .status, .contentType, .timedOut, .cancelled, .cacheOnlyMiss, .crashed, .internal,
        ]

        /// The name for a label, which must not take any value: the kinds of plug-ins are one.
        var label: String { Self.known.contains(self) ? rawValue : "other" }
    }

    extension ImageError {
        /// Whether it says no more than that the caller's own wish came true.
        var isIntended: Bool { kind == .cancelled || kind == .cacheOnlyMiss }

        /// The same error for others to read: no more than kind, stage and sentence, without secrets of URLs.
        func redacted(by redaction: URLRedaction) -> ImageError { ImageError(kind, stage, redaction.text(message)) }
    }

    extension Error {
        /// Whether a cache was merely left, because nobody waited for it any more.
        var isCancellation: Bool { self is CancellationError || (self as? ImageError)?.kind == .cancelled }
    }
#endif
