#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import NIOHTTP1

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// The requests of one load up to the final response, and the deadlines for all of them.
    struct Transfer: Sendable {
        /// The request of the load.
        let request: LoadRequest

        /// The settings of the loader.
        let configuration: HTTPLoader.Configuration

        private let connections: Connections
        private let hosts: HostCheck?
        private let end: Deadline?

        init(
            _ request: LoadRequest, _ configuration: HTTPLoader.Configuration, _ connections: Connections,
            _ hosts: HostCheck?
        ) {
            self.request = request
            self.configuration = configuration
            self.connections = connections
            self.hosts = hosts
            end = Deadline(after: configuration.totalTimeout, "totalTimeout", "did not send everything")
        }

        /// Returns the final response: the first that is no redirect.
        func answer() async throws(ImageError) -> Answer {
            var hop = try Hop(request, configuration, identifiesClient: connections.identifyClient)
            var redirects: [ResponseMetadata] = []
            var secrets: Set<String> = []
            var route = SourceRoute([])
            for _ in 0...max(0, configuration.redirectLimit) {
                let headers = try hop.headers
                secrets.formUnion(headers.secrets)
                // Read before the request is sent: the response may set a cookie that was not sent.
                let credentials = try hop.credentials
                var answer = try await send(headers, to: hop.url) { [report = request.report] in report(.connected) }
                route.hops.append(.init(url: hop.url, address: answer.address, credentials: credentials))
                (answer.redirects, answer.secrets, answer.route) = (redirects, secrets, route)
                // Releasing the response of a redirect discards its body and ends its transfer.
                guard let target = try answer.head.redirectTarget(from: hop.url) else { return answer }
                redirects.append(answer.metadata)
                try hop.follow(to: target)
            }
            throw ImageError(
                .status, .load,
                "it redirects more than \(configuration.redirectLimit) times; "
                    + "allow more with HTTPLoader.Configuration.redirectLimit")
        }

        /// Returns the head of the response to one request. `isConnected` is called once the request has been sent.
        func send(
            _ headers: HTTPHeaders, to url: URL, isConnected: @escaping @Sendable () -> Void = {}
        ) async throws(ImageError) -> Answer {
            try configuration.check(url)
            let firstByte = Deadline(after: configuration.firstByteTimeout, "firstByteTimeout", "did not answer")
            do {
                let (head, exchange, address) = try await connect(
                    to: url, headers, until: .first(of: firstByte, end), isConnected)
                configuration.cookies?.store(head.headers["set-cookie"], from: url)
                return Answer(
                    head: head, exchange: exchange, url: url, headers: headers, address: address.map { "\($0)" })
            } catch {
                throw ImageError(transport: error, configuration)
            }
        }

        /// Returns the next bytes of a body; `nil` at its end.
        func bytes(of exchange: Exchange) async throws -> Data? {
            let idle = Deadline(after: configuration.idleTimeout, "idleTimeout", "sent nothing more")
            return try await exchange.nextBytes(until: .first(of: idle, end))
        }

        /// Sleeps for `duration`.
        func pause(_ duration: Duration) async throws(ImageError) {
            do {
                try await Deadline.run(end, connections.alarm) { try await Task.sleep(for: duration) }
            } catch {
                throw ImageError(transport: error, configuration)
            }
        }

        private func connect(
            to url: URL, _ headers: HTTPHeaders, until deadline: Deadline?,
            _ isConnected: @escaping @Sendable () -> Void
        ) async throws -> (HTTPResponseHead, Exchange, IPAddress?) {
            let message = try HTTPClient.Request(url: url, headers: headers)
            let pins = try await pins(for: url, until: deadline)
            try Task.checkCancellation()
            for pin in pins.dropLast() {
                do {
                    let exchange = try connections.send(message, through: pin, isSent: isConnected)
                    return (try await exchange.head(until: deadline), exchange, pin.address)
                } catch  where error.isAboutAddress {
                    // Another address may be reachable.
                }
            }
            let exchange = try connections.send(message, through: pins.last, isSent: isConnected)
            let address = pins.last?.address ?? connections.literalAddress(of: url)
            return (try await exchange.head(until: deadline), exchange, address)
        }

        /// Returns the addresses to connect to; empty when the HTTP client resolves the host itself.
        private func pins(for url: URL, until deadline: Deadline?) async throws -> [Connections.Pin] {
            guard let hosts, let host = url.host else { return [] }
            let lookup = Deadline(after: configuration.connectTimeout, "connectTimeout", "had no address")
            return try await Deadline.run(.first(of: lookup, deadline), connections.alarm) {
                try await hosts.pins(for: host)
            }
        }
    }

    /// The head of a response, and the requests that led to it.
    struct Answer: Sendable {
        /// The head of the response.
        let head: HTTPResponseHead

        /// The exchange that delivers the body. It must be referenced until the body has been read.
        let exchange: Exchange

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
        var secrets: Set<String> = []
    }
#endif
