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

        private let client: OwnedClient
        private let eventLoop: any EventLoop
        private let end: Deadline?

        init(_ request: LoadRequest, _ configuration: HTTPLoader.Configuration, _ client: OwnedClient) {
            self.request = request
            self.configuration = configuration
            self.client = client
            eventLoop = client.client.eventLoopGroup.any()
            end = Deadline(after: configuration.totalTimeout, "totalTimeout", "did not send everything")
        }

        /// The head of the last response, and the URL that gave it.
        func response() async throws(ImageError) -> (HTTPClientResponse, URL) {
            var url = request.url
            var headers = try requestHeaders()
            for _ in 0...max(0, configuration.redirectLimit) {
                let response = try await send(headers, to: url)
                // The body of a redirect is dropped with its response, which ends its transfer.
                guard let target = try response.redirectTarget(from: url) else { return (response, url) }
                if !target.hasSameOrigin(as: url) { headers.removeCredentials() }
                url = target
            }
            throw ImageError(
                .status, .load,
                "it redirects more than \(configuration.redirectLimit) times; "
                    + "allow more with HTTPLoader.Configuration.redirectLimit")
        }

        /// Waits for bytes of a body.
        func waitForBytes<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) async throws -> Value {
            let idle = Deadline(after: configuration.idleTimeout, "idleTimeout", "sent nothing more")
            return try await Deadline.run(idle, end, on: eventLoop, body: body)
        }

        private func send(_ headers: HTTPHeaders, to url: URL) async throws(ImageError) -> HTTPClientResponse {
            var message = HTTPClientRequest(url: url.absoluteString)
            message.headers = headers
            let head = Deadline(after: configuration.firstByteTimeout, "firstByteTimeout", "did not answer")
            do {
                return try await Deadline.run(head, end, on: eventLoop) { [client, message] in
                    try await client.client.execute(message, deadline: .distantFuture)
                }
            } catch {
                throw ImageError(transport: error, configuration)
            }
        }
    }
#endif
