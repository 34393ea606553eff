#if S3
    public import DarkroomCore
    public import DarkroomPlatform
    import NIOHTTP1

    /// Loads the objects of an S3-compatible engine, by URLs such as `s3://bucket/key`.
    ///
    /// Bodies are streamed with back-pressure. Stored responses are revalidated by their entity tag and date.
    public struct S3Loader: QueueingLoader {
        /// The settings with which the loader was created.
        public let configuration: Configuration

        /// The queue of the transfers.
        public let transfers: AdmissionQueue

        private let client: S3Client

        /// Creates a loader with its own connections.
        ///
        /// If `configuration` is invalid, each load fails with an error that says why.
        public init(_ configuration: Configuration) {
            self.configuration = configuration
            var engine = configuration.engine
            // The queue limits the transfers, not the pool.
            engine.connectionLimit = max(engine.connectionLimit, configuration.transferLimit)
            client = S3Client(engine, stage: .load)
            transfers = AdmissionQueue(limit: max(1, configuration.transferLimit))
        }

        /// Returns whether `url` has the scheme `s3`.
        public func canLoad(_ url: URL) -> Bool { url.scheme?.equalsIgnoringASCIICase("s3") == true }

        /// Returns the streamed object once the response head has arrived, or `notModified` for a request with
        /// validators.
        ///
        /// The transfer counts as running until the last chunk has been read or the response is released.
        public func load(_ request: LoadRequest) async throws -> LoadResponse {
            try validate()
            let location = try location(of: request)
            let admission = try await transfers.admit(request.urgency)
            request.report(.started)
            var message = S3Request(.GET, bucket: location.bucket, key: location.key)
            message.headers = try request.validators
            let end = ContinuousClock.now + configuration.totalTimeout
            let signable = message
            let received = try await running(
                in: admission, atMost: configuration.firstByteTimeout, setting: "firstByteTimeout"
            ) { [client] in try await client.retrying(signable) { $0 } }
            request.report(.responded)
            let metadata = ResponseMetadata(
                url: request.url, status: received.status, headers: received.headers.joined)
            var response = LoadResponse(.data(received.errorBody), metadata: metadata)
            if received.status / 100 == 2 {
                let chunks = S3Chunks(
                    received.body, of: self, admission, limits: request.context.limits, until: end)
                response.body = .chunks(TransferBody(chunks, admission: admission))
                response.expectedByteCount = received.contentLength
            }
            return try outcome(of: response, for: request)
        }

        /// Returns `response` if its status is 200, and its declared length is within the limits. A 304 for a request
        /// with validators becomes `notModified`.
        ///
        /// - Throws: An error of kind `status` or `overLimit`.
        public func accepted(_ response: LoadResponse, for request: LoadRequest) throws(ImageError) -> LoadResponse {
            guard let metadata = response.metadata else { return response }
            var response = response
            if metadata.status == 304, try !request.validators.isEmpty {
                (response.body, response.expectedByteCount) = (.notModified, nil)
                return response
            }
            guard metadata.status == 200 else { throw Self.error(metadata, body: response.body) }
            if case .notModified = response.body { return response }
            try request.context.limits.check(
                encodedByteCount: metadata.headers["content-length"].flatMap { Int(decimal: $0) } ?? 0)
            return response
        }

        /// Whether the buckets are restricted.
        public var restrictsAccess: Bool { configuration.buckets != nil }

        /// Throws an error if the URL names no object, or one in a bucket that is not allowed.
        public func check(_ request: LoadRequest) throws(ImageError) { _ = try location(of: request) }

        /// Throws an error if the configuration is invalid.
        public func validate() throws(ImageError) { try configuration.validate() }

        /// Ends all transfers and connections. Later loads fail.
        public func shutdown() async { await client.shutdown() }

        /// Runs `body`, and ends it after `timeout`, with its task, and when all transfers are cancelled.
        func running<Value: Sendable>(
            in admission: Admission, atMost timeout: Duration, setting: String,
            _ body: @escaping @Sendable () async throws -> Value
        ) async throws(ImageError) -> Value {
            let setting = "S3Loader.Configuration.\(setting)"
            do {
                return try await admission.cancellation.run { [client] in
                    try await client.within(timeout, setting: setting, body)
                }
            } catch {
                throw ImageError(transport: error, of: client)
            }
        }

        private func location(of request: LoadRequest) throws(ImageError) -> ObjectLocation {
            let location = try ObjectLocation(request.url)
            guard configuration.buckets?.contains(location.bucket) ?? true else {
                throw ImageError(
                    .refused, .load,
                    "the bucket \(location.bucket) is not allowed; allow it with S3Loader.Configuration.buckets")
            }
            return location
        }

        private static func error(_ metadata: ResponseMetadata, body: LoadResponse.Body) -> ImageError {
            var summary: String?
            if case .data(let data) = body { summary = EngineError(data).summary }
            return ImageError(
                .status, .load,
                "the engine responded with status \(metadata.status)" + (summary.map { " (\($0))" } ?? ""),
                response: metadata)
        }
    }

    extension HTTPHeaders {
        /// The fields in the form of `ResponseMetadata`, without cookies.
        fileprivate var joined: [String: String] {
            var joined: [String: String] = [:]
            for (name, value) in self where !name.equalsIgnoringASCIICase("set-cookie") {
                let name = name.asciiLowercased
                joined[name, default: ""] += joined[name] == nil ? value : ", \(value)"
            }
            return joined
        }
    }

    extension LoadRequest {
        /// The header fields that revalidate the stored response (RFC 9110, section 13.1).
        fileprivate var validators: [(name: String, value: String)] {
            get throws(ImageError) {
                let fields = [
                    ("If-None-Match", stored?.headers["etag"]), ("If-Modified-Since", stored?.headers["last-modified"]),
                ]
                let validators = fields.compactMap { name, value in value.map { (name: name, value: $0) } }
                guard validators.allSatisfy({ $0.value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }) else {
                    throw ImageError(.refused, .load, "the stored response contains an invalid validator")
                }
                return validators
            }
        }
    }
#endif
