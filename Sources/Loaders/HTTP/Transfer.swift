#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomHTTPGuard
    import DarkroomPlatform
    import NIOCore
    import NIOHTTP1

    /// The requests of one load up to the final response, and the deadlines for all of them.
    struct Transfer: Sendable {
        /// The request of the load.
        let request: LoadRequest

        /// The settings of the loader.
        let configuration: HTTPLoader.Configuration

        /// The number of connections that are tried for a request while the origin closes them.
        private static let connectionLimit = 4

        private let connections: Connections
        private let hosts: HostCheck?
        private let end: Deadline?

        init(
            _ request: LoadRequest, configuration: HTTPLoader.Configuration, connections: Connections,
            hosts: HostCheck?
        ) {
            self.request = request
            self.configuration = configuration
            self.connections = connections
            self.hosts = hosts
            end = Deadline(
                after: configuration.totalTimeout, setting: "totalTimeout", event: "did not complete the response")
        }

        /// Returns the final response: the first that is no redirect.
        func finalResponse() async throws(ImageError) -> ReceivedResponse {
            var hop = try RedirectHop(
                for: request, configuration: configuration, sendsClientCertificate: connections.sendsClientCertificate)
            var redirects: [ResponseMetadata] = []
            var credentialFields: Set<String> = []
            var route = SourceRoute([])
            for _ in 0...max(0, configuration.redirectLimit) {
                let headers = try hop.headers
                credentialFields.formUnion(headers.credentialFields)
                // Read before the request is sent: the response may set a cookie that was not sent.
                let credentials = try hop.credentials
                var response = try await send(headers, to: hop.url) { [report = request.report] in report(.connected) }
                route.hops.append(.init(url: hop.url, address: response.address, credentials: credentials))
                (response.redirects, response.credentialFields, response.route) = (redirects, credentialFields, route)
                // Releasing the response of a redirect discards its body and ends its transfer.
                guard let target = try response.head.redirectTarget(from: hop.url) else { return response }
                redirects.append(response.metadata)
                try hop.follow(to: target)
            }
            throw ImageError(
                .status, .load,
                "the origin redirects more than \(configuration.redirectLimit) times; "
                    + "allow more with HTTPLoader.Configuration.redirectLimit")
        }

        /// Returns the head of the response to one request. `isConnected` is called once the request has been sent.
        func send(
            _ headers: HTTPHeaders, to url: URL, isConnected: @escaping @Sendable () -> Void = {}
        ) async throws(ImageError) -> ReceivedResponse {
            try configuration.check(url)
            let firstByte = Deadline(
                after: configuration.firstByteTimeout, setting: "firstByteTimeout", event: "did not respond")
            do {
                let (head, exchange, address) = try await connect(
                    to: url, headers: headers, until: .first(of: firstByte, end), isConnected: isConnected)
                configuration.cookies?.store(head.headers["set-cookie"], from: url)
                return ReceivedResponse(
                    head: head, exchange: exchange, url: url, headers: headers, address: address.map { "\($0)" })
            } catch {
                throw ImageError(transport: error, configuration: configuration)
            }
        }

        /// Returns the next bytes of a body; `nil` at its end.
        func bytes(of exchange: HTTPExchange) async throws -> Data? {
            let idle = Deadline(after: configuration.idleTimeout, setting: "idleTimeout", event: "sent no more data")
            return try await exchange.nextBytes(until: .first(of: idle, end))
        }

        /// Sleeps for `duration`.
        func pause(_ duration: Duration) async throws(ImageError) {
            do {
                try await Deadline.run(until: end, timer: connections.timer) { try await Task.sleep(for: duration) }
            } catch {
                throw ImageError(transport: error, configuration: configuration)
            }
        }

        private func connect(
            to url: URL, headers: HTTPHeaders, until deadline: Deadline?,
            isConnected: @escaping @Sendable () -> Void
        ) async throws -> (HTTPResponseHead, HTTPExchange, IPAddress?) {
            let message = try HTTPClient.Request(url: url, headers: headers)
            let pins = try await pins(for: url, until: deadline)
            try Task.checkCancellation()
            for pin in pins.dropLast() {
                do {
                    let (head, exchange) = try await send(message, through: pin, until: deadline, isConnected)
                    return (head, exchange, pin.address)
                } catch  where error.isConnectionFailure {
                    // Another address may be reachable.
                }
            }
            let (head, exchange) = try await send(message, through: pins.last, until: deadline, isConnected)
            return (head, exchange, pins.last?.address ?? connections.literalAddress(of: url))
        }

        /// Returns the response to `message`. If an earlier connection was closed before that could be sent, or before any
        /// response to it, tries another one.
        private func send(
            _ message: HTTPClient.Request, through pin: Connections.Pin?, until deadline: Deadline?,
            _ isConnected: @escaping @Sendable () -> Void
        ) async throws -> (HTTPResponseHead, HTTPExchange) {
            for _ in 0..<Self.connectionLimit {
                do {
                    let exchange = try connections.send(message, through: pin, isSent: isConnected)
                    return (try await exchange.head(until: deadline), exchange)
                } catch let error as HTTPClientError where error == .cancelled && !connections.isShutDown {
                    // Nobody cancelled it: its connection of HTTP/2 was closed before the request was sent.
                } catch let error as ChannelError where error == .ioOnClosedChannel {
                    // The origin has closed the connection since its last response, or while the request was on its way.
                } catch  where error.isRefusedStream {
                    // The same, over HTTP/2.
                }
            }
            throw ImageError(.network, .load, "the origin closes each connection before it responds")
        }

        /// Returns the addresses to connect to; empty when the HTTP client resolves the host itself.
        private func pins(for url: URL, until deadline: Deadline?) async throws -> [Connections.Pin] {
            guard let hosts, let host = url.host else { return [] }
            let lookup = Deadline(
                after: configuration.connectTimeout, setting: "connectTimeout", event: "could not be resolved")
            return try await Deadline.run(until: .first(of: lookup, deadline), timer: connections.timer) {
                try await hosts.pins(for: host)
            }
        }
    }

    /// The head of a response, and the requests that led to it.
    struct ReceivedResponse: Sendable {
        /// The head of the response.
        let head: HTTPResponseHead

        /// The exchange that delivers the body. It must be referenced until the body has been read.
        let exchange: HTTPExchange

        /// The URL that returned the response.
        let url: URL

        /// The header fields of the request.
        let headers: HTTPHeaders

        /// The address that the request was sent to, in standard form; `nil` when the HTTP client resolved the host.
        let address: String?

        /// The requests that led here, including this one.
        var route: SourceRoute?

        /// The redirects that led here.
        var redirects: [ResponseMetadata] = []

        /// The names of the fields sent on the way that identify the caller.
        var credentialFields: Set<String> = []
    }
#endif
