#if S3
    public import DarkroomCore

    extension S3Loader {
        /// The settings of an `S3Loader`.
        public struct Configuration: Sendable {
            /// The engine and its credentials.
            public var engine: S3Configuration

            /// The buckets from which objects may be loaded; `nil`, the default, for all that the credentials allow. Set
            /// it on servers that load URLs supplied by clients.
            public var buckets: Set<String>?

            /// The timeout for the head of a response, connecting and further attempts included: 15 seconds.
            public var firstByteTimeout: Duration = .seconds(15)

            /// The timeout for the next bytes of a body: 15 seconds. Time spent by the reader does not count.
            public var idleTimeout: Duration = .seconds(15)

            /// The timeout for a whole transfer, without the time in the queue: 300 seconds.
            public var totalTimeout: Duration = .seconds(300)

            /// The maximum number of concurrent transfers: 6. Others wait in order of urgency.
            public var transferLimit = 6

            /// Creates a configuration with the defaults above.
            public init(engine: S3Configuration) { self.engine = engine }

            /// Throws an error of kind `refused` that names the property when a setting is invalid.
            public func validate() throws(ImageError) {
                try engine.validate()
                let timeouts = [
                    ("firstByteTimeout", firstByteTimeout), ("idleTimeout", idleTimeout),
                    ("totalTimeout", totalTimeout),
                ]
                for (name, timeout) in timeouts where timeout <= .zero {
                    throw ImageError(.refused, .request, "S3Loader.Configuration.\(name) must be positive")
                }
                guard transferLimit >= 1 else {
                    throw ImageError(
                        .refused, .request, "S3Loader.Configuration.transferLimit must be at least 1")
                }
            }
        }
    }
#endif
