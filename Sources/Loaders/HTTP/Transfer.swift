#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import NIOHTTP1

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// One load: its requests up to the response that is no redirect, and the deadlines of all of it.
    struct Transfer: Sendable {
        /// What is asked for.
        let request: LoadRequest

        /// How.
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

        /// The answer that is no redirect.
        func answer() async throws(ImageError) -> Answer {
            var hop = try Hop(request, configuration, identifiesClient: connections.identifyClient)
            var redirects: [ResponseMetadata] = []
            var secrets: Set<String> = []
            var reach = SourceReach([])
            for _ in 0...max(0, configuration.redirectLimit) {
                let headers = try hop.headers
                secrets.formUnion(headers.secrets)
                // Asked for now: the answer may bring a cookie that was not sent.
                let credentials = try hop.credentials
                var answer = try await send(headers, to: hop.url) { [tell = request.tell] in tell(.connected) }
                reach.hops.append(.init(url: hop.url, address: answer.address, credentials: credentials))
                (answer.redirects, answer.secrets, answer.reach) = (redirects, secrets, reach)
                // The body of a redirect is dropped with its response, which ends its transfer.
                guard let target = try answer.head.redirectTarget(from: hop.url) else { return answer }
                redirects.append(answer.metadata)
                try hop.follow(to: target)
            }
            throw ImageError(
                .status, .load,
                "it redirects more than \(configuration.redirectLimit) times; "
                    + "allow more with HTTPLoader.Configuration.redirectLimit")
        }

        /// The head of the answer to one request. `isConnected` is called when it goes out.
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

        /// The next bytes of a body; `nil` at its end.
        func bytes(of exchange: Exchange) async throws -> Data? {
            let idle = Deadline(after: configuration.idleTimeout, "idleTimeout", "sent nothing more")
            return try await exchange.nextBytes(until: .first(of: idle, end))
        }

        /// Does nothing for so long.
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
                    // Another one may be reachable.
                }
            }
            let exchange = try connections.send(message, through: pins.last, isSent: isConnected)
            let address = pins.last?.address ?? connections.literalAddress(of: url)
            return (try await exchange.head(until: deadline), exchange, address)
        }

        /// Where to connect to; nothing when that is left to the HTTP client.
        private func pins(for url: URL, until deadline: Deadline?) async throws -> [Connections.Pin] {
            guard let hosts, let host = url.host else { return [] }
            let lookup = Deadline(after: configuration.connectTimeout, "connectTimeout", "had no address")
            return try await Deadline.run(.first(of: lookup, deadline), connections.alarm) {
                try await hosts.pins(for: host)
            }
        }
    }

    /// The head of a response, and what led to it.
    struct Answer: Sendable {
        /// The head of the response.
        let head: HTTPResponseHead

        /// What brings the body; to be kept until its end.
        let exchange: Exchange

        /// The URL that gave the answer.
        let url: URL

        /// What was asked.
        let headers: HTTPHeaders

        /// Where it was asked, in the usual form of an address; `nil` when the HTTP client found the way itself.
        let address: String?

        /// The requests that led here, this one included.
        var reach: SourceReach?

        /// The answers that led here.
        var redirects: [ResponseMetadata] = []

        /// Which fields told on the way who asks.
        var secrets: Set<String> = []
    }
#endif
