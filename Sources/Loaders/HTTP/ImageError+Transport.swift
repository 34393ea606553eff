#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import DarkroomHTTPGuard
    import DarkroomPlatform
    import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import NIOSSL

    extension ImageError {
        /// Creates the error of a load from an error of the HTTP client.
        init(transport error: any Error, configuration: HTTPLoader.Configuration) {
            switch error {
            case let error as ImageError: self = error
            case is CancellationError: self = .cancelled
            case let error as HTTPClientError: self.init(error, configuration: configuration)
            case NIOHTTPDecompression.DecompressionError.limit:
                self.init(
                    .overLimit, .load,
                    "the body decompresses to more than \(configuration.decompressionRatioLimit) times its size; "
                        + "raise the limit with HTTPLoader.Configuration.decompressionRatioLimit", underlying: error)
            case let error as RefusedResponse:
                self.init(.network, .load, "the origin sent \(error)", underlying: error)
            case let error as HTTPParserError:
                self.init(
                    .network, .load, "the response of the origin is not valid HTTP/1.1: \(error.reason)",
                    underlying: error)
            case _ where error.isTrustFailure:
                self.init(
                    .network, .load, "the secure connection to the origin failed: \(Self.trustReason(error))",
                    underlying: error)
            case let error as IOError:
                // The error's own description calls every failure a connection reset.
                let reason = unsafe String(cString: strerror(error.errnoCode)).decapitalized
                // The origin is not at fault if no more files can be opened.
                let kind: Kind = [EMFILE, ENFILE].contains(error.errnoCode) ? .busy : .network
                self.init(kind, .load, "the connection to the origin failed: \(reason)", underlying: error)
            default:
                self.init(.network, .load, "the connection to the origin failed: \(error)", underlying: error)
            }
        }

        /// Whether the load failed because the origin could not prove its identity.
        var isTrustFailure: Bool { underlying?.isTrustFailure ?? false }

        /// Returns a description without the source files of the TLS library, which its own description names.
        private static func trustReason(_ error: any Error) -> String {
            switch error {
            case NIOSSLError.handshakeFailed(let error), NIOSSLError.shutdownFailed(let error): trustReason(error)
            case BoringSSLError.sslError(let stack), BoringSSLError.unknownError(let stack),
                BoringSSLError.invalidSNIName(let stack), BoringSSLError.failedToSetALPN(let stack):
                stack.map { "\($0)".boringSSLReason }.joined(separator: ", ")
            default: "\(error)"
            }
        }

        private init(_ error: HTTPClientError, configuration: HTTPLoader.Configuration) {
            switch error {
            case .cancelled: self = .cancelled
            case .invalidURL, .emptyHost, .emptyScheme:
                self.init(.invalidURL, .load, "the URL has no host", underlying: error)
            case .connectTimeout, .tlsHandshakeTimeout, .getConnectionFromPoolTimeout, .httpProxyHandshakeTimeout,
                .socksHandshakeTimeout:
                self.init(
                    .timedOut, .load,
                    "the origin accepted no connection within \(configuration.connectTimeout); "
                        + "allow more with HTTPLoader.Configuration.connectTimeout", underlying: error)
            case .readTimeout:
                self.init(
                    .timedOut, .load,
                    "the origin answered neither the request nor a ping within \((configuration.pingTimeout ?? .zero) * 2); "
                        + "allow more with HTTPLoader.Configuration.pingTimeout", underlying: error)
            case .proxyAuthenticationRequired:
                self.init(
                    .refused, .load,
                    "the proxy rejected the credential; set it with HTTPLoader.Configuration.proxy", underlying: error
                )
            case .alreadyShutdown:
                self.init(.refused, .load, "the HTTP loader was shut down", underlying: error)
            default:
                let reason = error.shortDescription.decapitalized
                self.init(.network, .load, "the transfer failed: \(reason)", underlying: error)
            }
        }
    }

    extension Error {
        /// Whether connecting failed in a way that another address of the host may avoid.
        var isConnectionFailure: Bool {
            switch self {
            case let error as HTTPClientError: error == .connectTimeout
            case let error as IOError:
                [
                    ECONNREFUSED, ENETUNREACH, EHOSTUNREACH, ETIMEDOUT, EADDRNOTAVAIL, EAFNOSUPPORT, EACCES, EPERM,
                    EINVAL,
                ]
                .contains(error.errnoCode)
            default: false
            }
        }
    }

    extension String {
        /// The reason in a description such as `Error: 268435581 error:1000007d:SSL
        /// routines:OPENSSL_internal:CERTIFICATE_VERIFY_FAILED at …/handshake.cc:298`.
        fileprivate var boringSSLReason: String {
            let codes = split(separator: " at /", maxSplits: 1, omittingEmptySubsequences: false)[0]
            let reason = codes.split(separator: ":").last ?? codes
            return reason.lowercased().replacing("_", with: " ").trimmingPrefix { $0 == " " }.description
        }

        fileprivate var decapitalized: String { prefix(1).lowercased() + dropFirst() }
    }
#endif
