#if S3
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomHTTPGuard
    import DarkroomPlatform
    import NIOCore
    import NIOHTTP1

    /// A local HTTP server that returns credentials.
    struct CredentialsEndpoint: Sendable {
        /// A response with a body of at most 64 KiB.
        struct Response: Sendable {
            /// The status code.
            let status: Int
            /// The body.
            let body: Data
        }

        private static let byteLimit = 64 << 10

        /// The name for messages.
        let name: String

        /// The time that one response may take.
        let timeout: Duration

        /// Runs `body` with a client that exists only meanwhile: credentials are needed a few times a day.
        func connecting<Result>(_ body: (HTTPClient) async throws -> Result) async throws -> Result {
            var settings = HTTPClient.Configuration(redirectConfiguration: .disallow)
            settings.timeout.connect = TimeAmount(timeout)
            settings.connectionPool.retryConnectionEstablishment = false
            settings.httpVersion = .http1Only
            settings.guardResponses()
            let client = HTTPClient(configuration: settings)
            do {
                let result = try await body(client)
                try? await client.shutdown()
                return result
            } catch {
                try? await client.shutdown()
                throw error
            }
        }

        /// Sends a request and returns the response.
        func response(
            to url: String, method: HTTPMethod = .GET, headers: HTTPHeaders = [:], over client: HTTPClient
        ) async throws -> Response {
            var request = HTTPClientRequest(url: url)
            request.method = method
            request.headers = headers
            let message = request
            let error = ImageError(.timedOut, .request, "\(name) did not respond within \(timeout)")
            do {
                return try await RequestDeadline.run(within: timeout, orThrow: error) {
                    let response = try await client.execute(message, deadline: .distantFuture)
                    let body = try await Data(response.body, byteLimit: Self.byteLimit)
                    guard let body else {
                        throw ImageError(.network, .request, "\(name) returned more than \(Self.byteLimit) bytes")
                    }
                    return Response(status: Int(response.status.code), body: body)
                }
            } catch  where !(error is ImageError || error is CancellationError) {
                throw ImageError(.network, .request, "\(name) cannot be reached", underlying: error)
            }
        }

        /// Returns the error for a response that is not successful.
        func error(_ response: Response) -> ImageError {
            ImageError(.status, .request, "\(name) responded with status \(response.status)")
        }
    }
#endif
