#if HTTP || S3
    import NIOSSL

    extension Error {
        /// Whether the server could not prove its identity, or supports no TLS version or cipher that the client does.
        package var isTrustFailure: Bool {
            switch self as any Error {
            // The connection broke, which says nothing about trust.
            case NIOSSLError.uncleanShutdown: false
            case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: true
            default: false
            }
        }
    }
#endif
