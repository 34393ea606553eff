#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import NIOCore
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
        private let eventLoop: any EventLoop
        private let end: Deadline?

        init(
            _ request: LoadRequest, _ configuration: HTTPLoader.Configuration, _ connections: Connections,
            _ hosts: HostCheck?
        ) {
            self.request = request
            self.configuration = configuration
            self.connections = connections
            self.hosts = hosts
            eventLoop = HTTPClient.defaultEventLoopGroup.any()
            end = Deadline(after: configuration.totalTimeout, "totalTimeout", "did not send everything")
        }

        /// The answer that is no redirect.
        func answer() async throws(ImageError) -> Answer {
            var hop = try Hop(request, configuration)
            for _ in 0...max(0, configuration.redirectLimit) {
                let answer = try await send(try hop.headers, to: hop.url) { [tell = request.tell] in tell(.connected) }
                // The body of a redirect is dropped with its response, which ends its transfer.
                guard let target = try answer.response.redirectTarget(from: hop.url) else { return answer }
                hop.follow(to: target)
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
            try configuration.checkPlace(of: url)
            let head = Deadline(after: configuration.firstByteTimeout, "firstByteTimeout", "did not answer")
            do {
                let (response, client) = try await Deadline.run(head, end, on: eventLoop) { [self] in
                    try await connect(to: url, headers, isConnected)
                }
                configuration.cookies?.store(response.headers["set-cookie"], from: url)
                return Answer(response: response, client: client, url: url, headers: headers)
            } catch {
                throw ImageError(transport: error, configuration)
            }
        }

        /// Waits for bytes of a body.
        func waitForBytes<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
            let idle = Deadline(after: configuration.idleTimeout, "idleTimeout", "sent nothing more")
            return try await Deadline.run(idle, end, on: eventLoop, body: body)
        }

        /// Does nothing for so long.
        func pause(_ duration: Duration) async throws(ImageError) {
            do {
                try await Deadline.run(end, on: eventLoop) { try await Task.sleep(for: duration) }
            } catch {
                throw ImageError(transport: error, configuration)
            }
        }

        private func connect(
            to url: URL, _ headers: HTTPHeaders, _ isConnected: @escaping @Sendable () -> Void
        ) async throws -> (HTTPClientResponse, OwnedClient) {
            var message = HTTPClientRequest(url: url.absoluteString)
            message.headers = headers
            let pins = try await pins(for: url)
            for pin in pins.dropLast() {
                do {
                    return try await connections.send(message, through: pin, isConnected: isConnected)
                } catch  where error.isAboutAddress {
                    // Another one may be reachable.
                }
            }
            return try await connections.send(message, through: pins.last, isConnected: isConnected)
        }

        /// Where to connect to; nothing when that is left to the HTTP client.
        private func pins(for url: URL) async throws -> [Connections.Pin] {
            guard let hosts, let host = url.host else { return [] }
            let lookup = Deadline(after: configuration.connectTimeout, "connectTimeout", "had no address")
            return try await Deadline.run(lookup, on: eventLoop) { try await hosts.pins(for: host) }
        }
    }

    /// The head of a response, and what led to it.
    struct Answer: Sendable {
        /// The response, with its body still to come.
        let response: HTTPClientResponse

        /// What receives the body; to be kept until its end.
        let client: OwnedClient

        /// The URL that gave the answer.
        let url: URL

        /// What was asked.
        let headers: HTTPHeaders
    }
#endif
