#if S3
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomHTTPGuard
    import DarkroomPlatform
    import NIOCore

    extension ImageError {
        /// Creates the error of a call from an error of the HTTP client.
        init(transport error: any Error, of client: S3Client) {
            let (stage, host) = (client.stage, client.configuration.hostName)
            switch error {
            case let error as ImageError: self = error
            case is CancellationError: self = .cancelled
            case let error as HTTPClientError: self.init(error, of: client)
            case let error as RefusedResponse:
                self.init(.network, stage, "the engine at \(host) sent \(error)", underlying: error)
            case let error as IOError:
                let reason = unsafe String(cString: strerror(error.errnoCode))
                self.init(
                    .network, stage, "the connection to the engine at \(host) failed: \(reason)", underlying: error)
            default:
                let reason = error.isTrustFailure ? "secure connection" : "connection"
                self.init(
                    .network, stage, "the \(reason) to the engine at \(host) failed: \(error)", underlying: error)
            }
        }

        private init(_ error: HTTPClientError, of client: S3Client) {
            let (stage, host) = (client.stage, client.configuration.hostName)
            switch error {
            case .cancelled: self = .cancelled
            case .connectTimeout, .tlsHandshakeTimeout:
                self.init(
                    .timedOut, stage,
                    "the engine at \(host) accepted no connection within \(client.configuration.connectTimeout); "
                        + "allow more with S3Configuration.connectTimeout", underlying: error)
            default:
                self.init(
                    .network, stage, "the transfer to or from the engine at \(host) failed: \(error.shortDescription)",
                    underlying: error)
            }
        }
    }
#endif
