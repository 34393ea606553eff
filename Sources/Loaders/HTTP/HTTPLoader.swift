#if HTTP
    public import AsyncHTTPClient
    public import DarkroomCore
    public import DarkroomPlatform

    /// Loads `http:` and `https:` URLs.
    ///
    /// Bodies are streamed with back-pressure: the loader reads no further ahead than its buffer. A misbehaving origin
    /// results in an error within the configured timeouts, whether it stalls, redirects in circles, sends a wrong
    /// length, or sends a body that decompresses to an excessive size.
    public struct HTTPLoader: QueueingLoader {
        /// The settings with which the loader was created.
        public let configuration: Configuration

        /// The queue of the transfers.
        public let transfers: AdmissionQueue

        let connections: Connections
        let hosts: HostCheck?
        let currentHeaders: CurrentHeaders
        private let configurationError: ImageError?

        /// Creates a loader with its own connections.
        ///
        /// If `configuration` is invalid, each load fails with an error that says why; `configuration.validate()`
        /// throws it at once. `client` is for settings that `configuration` does not cover, such as client certificates
        /// or name overrides; its timeouts, redirects, retries,
        /// decompression and version of HTTP are replaced.
        public init(_ configuration: Configuration = .init(), client: HTTPClient.Configuration = .init()) {
            self.configuration = configuration
            currentHeaders = CurrentHeaders(configuration.headers)
            connections = Connections(client.applying(configuration))
            hosts = HostCheck(configuration, overrides: client.dnsOverride)
            do throws(ImageError) {
                try configuration.validate()
                configurationError = nil
            } catch {
                configurationError = error
            }
            transfers = AdmissionQueue(limit: configuration.transferLimit, order: configuration.transferOrder)
            transfers.groupLimit = configuration.transferLimitPerHost
            transfers.rate = configuration.rateLimit
        }

        /// The maximum number of concurrent transfers for each host; `nil` for no limit. Changes take effect
        /// immediately.
        public var transferLimitPerHost: Int? {
            get { transfers.groupLimit }
            nonmutating set { transfers.groupLimit = newValue }
        }

        /// Returns whether `url` has the scheme `http` or `https`.
        public func canLoad(_ url: URL) -> Bool { url.isHTTP }

        /// Returns the streamed body once an acceptable response head has arrived, or `notModified` for a request with
        /// validators.
        ///
        /// The transfer counts as running until the last chunk has been read or the response is released.
        public func load(_ request: LoadRequest) async throws -> LoadResponse {
            if let configurationError { throw configurationError }
            let admission = try await transfers.admit(request.urgency, group: request.url.host?.asciiLowercased)
            request.report(.started)
            let transfer = Transfer(
                request, configuration: currentConfiguration, connections: connections, hosts: hosts)
            let received = try await admission.cancellation.run { try await transfer.finalResponse() }
            request.report(.responded)
            var response = transfer.response(of: received, admission: admission)
            response.requestFields = fields(
                of: request, with: transfer.configuration, hiding: received.credentialFields)
            return try outcome(of: response, for: request)
        }

        /// Returns the current header fields of the loader, with those of `context.httpHeaders` in place of fields of
        /// the same name, and without validators.
        ///
        /// The values of credentials and cookies are replaced by `*`.
        public func requestFields(for request: LoadRequest) -> [String: String] {
            let configuration = currentConfiguration
            return fields(of: request, with: configuration, hiding: request.credentialFields(configuration))
        }

        private func fields(
            of request: LoadRequest, with configuration: Configuration, hiding credentialFields: Set<String>
        ) -> [String: String] {
            var fields: [String: String] = [:]
            for headers in [configuration.headers, request.context.httpHeaders] {
                for (name, value) in headers.sorted(by: { $0.key < $1.key }) { fields[name.asciiLowercased] = value }
            }
            for name in credentialFields { fields[name] = "*" }
            return fields
        }

        /// Throws an error if the configuration is invalid.
        public func validate() throws(ImageError) { try configuration.validate() }

        /// Returns whether retrying would fail the same way: a URL that cannot be loaded, an image that cannot be
        /// decoded, or an origin that cannot prove its identity. A status, a content type, a timeout and a broken
        /// connection are not remembered.
        public func remembers(_ error: ImageError) -> Bool {
            error.isPermanent || error.isTrustFailure
        }

        /// Ends all transfers and connections. Later loads fail.
        ///
        /// A loader that is released does the same once its last transfer has ended.
        public func shutdown() async { await connections.shutdown() }
    }
#endif
