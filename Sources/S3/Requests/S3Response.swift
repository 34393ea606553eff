#if S3
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomPlatform
    import NIOHTTP1

    /// The response of an engine.
    struct S3Response: Sendable {
        /// The limit on the bytes of an error that are received.
        private static let errorByteLimit = 64 << 10

        /// The status code.
        let status: Int

        /// The header fields.
        let headers: HTTPHeaders

        /// The body of a successful response.
        let body: HTTPClientResponse.Body

        /// The bytes of an error; empty for a successful response.
        let errorBody: Data

        /// The description of an error; empty if there is none.
        let error: EngineError

        /// Receives the error of an unsuccessful response.
        init(_ response: HTTPClientResponse) async throws {
            status = Int(response.status.code)
            headers = response.headers
            body = response.body
            guard status >= 300, status != 304 else {
                (errorBody, error) = (Data(), EngineError(Data()))
                return
            }
            do {
                errorBody = try await Data(response.body, byteLimit: Self.errorByteLimit) ?? Data()
            } catch is CancellationError {
                throw CancellationError()
            } catch {
                // The status is known, and more important.
                errorBody = Data()
            }
            error = EngineError(errorBody)
        }

        /// Whether the request may succeed when it is sent again.
        var isTransientFailure: Bool { [429, 500, 502, 503, 504].contains(status) }

        /// The declared length of the body.
        var contentLength: Int? { headers.first(name: "content-length").flatMap { Int(decimal: $0) } }

        /// The time of the response by the engine's clock.
        var date: Date? { headers.first(name: "date").flatMap { Date(httpDate: $0) } }

        /// The time since the object was stored, by the engine's clock.
        var age: Duration? {
            guard let date, let modified = headers.first(name: "last-modified").flatMap({ Date(httpDate: $0) }) else {
                return nil
            }
            return .seconds(max(0, date.timeIntervalSince(modified)))
        }

        /// The response in one phrase, such as `status 403 (AccessDenied)`.
        var summary: String {
            let redirection = status / 100 == 3 ? headers.first(name: "x-amz-bucket-region") : nil
            let region = error.region ?? redirection.flatMap(EngineError.region)
            return "status \(status)" + (EngineError.summary(code: error.code, region: region).map { " (\($0))" } ?? "")
        }
    }
#endif
