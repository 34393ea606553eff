#if S3
    import AsyncHTTPClient
    import DarkroomPlatform
    import NIOCore

    extension Data {
        /// Receives `body`; `nil` if it has more than `byteLimit` bytes, of which no more are received then.
        init?(_ body: HTTPClientResponse.Body, byteLimit: Int, expected: Int? = nil) async throws {
            self.init()
            if let expected {
                guard expected <= byteLimit else { return nil }
                reserveCapacity(Swift.min(expected, 1 << 20))
            }
            for try await buffer in body {
                guard buffer.readableBytes <= byteLimit - count else { return nil }
                append(contentsOf: buffer.readableBytesView)
            }
        }
    }
#endif
