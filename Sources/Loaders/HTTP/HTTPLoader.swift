#if HTTP
    public import AsyncHTTPClient
    public import DarkroomCore

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    /// Loads `http:` and `https:` URLs.
    ///
    /// Bodies are streamed: what nobody takes is not asked of the origin. What the origin may do wrong ends in an error
    /// within the deadlines of the configuration: stalling, redirecting in circles, lying about lengths, unpacking to
    /// more than is sensible.
    public struct HTTPLoader: ImageLoader {
        /// How it loads.
        public let configuration: Configuration

        let connections: Connections
        let hosts: HostCheck?
        private let mistake: ImageError?
        private let queue: AdmissionQueue

        /// A loader with connections of its own.
        ///
        /// When `configuration` cannot work, each load says why; `configuration.validate()` says it at once. `client` is for
        /// what `configuration` does not cover, such as client certificates or name overrides; its timeouts, redirects,
        /// retries and decompression are replaced.
        public init(_ configuration: Configuration = .init(), client: HTTPClient.Configuration = .init()) {
            self.configuration = configuration
            connections = Connections(client.applying(configuration))
            hosts = HostCheck(configuration, overrides: client.dnsOverride)
            do throws(ImageError) {
                try configuration.validate()
                mistake = nil
            } catch {
                mistake = error
            }
            queue = AdmissionQueue(limit: configuration.maxConcurrentTransfers, order: configuration.transferOrder)
            queue.groupLimit = configuration.maxConcurrentTransfersPerHost
            queue.rate = configuration.rateLimit
        }

        /// How many transfers run at once; changes count at once, too.
        public var maxConcurrentTransfers: Int {
            get { queue.limit }
            nonmutating set { queue.limit = newValue }
        }

        /// How many transfers from one host run at once; `nil` for no such bound. Changes count at once.
        public var maxConcurrentTransfersPerHost: Int? {
            get { queue.groupLimit }
            nonmutating set { queue.groupLimit = newValue }
        }

        /// How often transfers may start; `nil` for no such bound. Changes count at once.
        public var rateLimit: RateLimit? {
            get { queue.rate }
            nonmutating set { queue.rate = newValue }
        }

        /// Which of the transfers that wait with one priority comes first; changes count at once.
        public var transferOrder: LoadOrder {
            get { queue.order }
            nonmutating set { queue.order = newValue }
        }

        /// Whether no transfer starts; those that run go on.
        public var isSuspended: Bool {
            get { queue.isSuspended }
            nonmutating set { queue.isSuspended = newValue }
        }

        /// How many transfers run or wait for their turn.
        public var transferCount: Int { waitingTransferCount + runningTransferCount }

        /// How many transfers wait for their turn.
        public var waitingTransferCount: Int { queue.waitingCount }

        /// How many transfers run.
        public var runningTransferCount: Int { queue.runningCount }

        /// Whether it is an `http:` or `https:` URL.
        public func canLoad(_ url: URL) -> Bool { url.isWeb }

        /// The bytes as they arrive, once a head came that a picture may have; or `notModified` for a request with validators.
        ///
        /// The transfer counts as running until the last chunk was taken, or the response is forgotten.
        public func load(_ request: LoadRequest) async throws -> LoadResponse {
            if let mistake { throw mistake }
            let admission = try await queue.admit(request.urgency, group: request.url.host?.asciiLowercased)
            request.tell(.started)
            let transfer = Transfer(request, configuration, connections, hosts)
            let answer = try await transfer.answer()
            request.tell(.responded)
            var response = try transfer.checked(answer) { ResponseBody(answer, transfer, admission) }
            response.redirects = answer.redirects
            response.requestFields = fields(of: request, answer.secrets)
            response.reach = answer.reach
            return response
        }

        /// The fields of the configuration, replaced by those of `context.httpHeaders`; validators are not among them.
        ///
        /// Of credentials and cookies it tells only that there are some, by `*`.
        public func requestFields(for request: LoadRequest) -> [String: String] {
            fields(of: request, request.secrets(configuration))
        }

        private func fields(of request: LoadRequest, _ secrets: Set<String>) -> [String: String] {
            var fields: [String: String] = [:]
            for headers in [configuration.headers, request.context.httpHeaders] {
                for (name, value) in headers.sorted(by: { $0.key < $1.key }) { fields[name.asciiLowercased] = value }
            }
            for name in secrets { fields[name] = "*" }
            return fields
        }

        /// Throws what is wrong with the configuration.
        public func validate() throws(ImageError) { try configuration.validate() }

        /// Remembers what trying again would not mend: a URL that cannot be loaded, a picture that cannot be decoded, and
        /// an origin that cannot prove who it is. Not a status, a content type, a time-out or a broken connection.
        public func remembers(_ error: ImageError) -> Bool {
            [.invalidURL, .corrupt, .noCoder].contains(error.kind) || error.isAboutTrust
        }

        /// Ends all transfers and connections. Loads that come later fail.
        ///
        /// A loader that is forgotten does the same when its last transfer has ended.
        public func shutdown() async { await connections.shutdown() }
    }
#endif
