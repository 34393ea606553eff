#if HTTP || S3
    import DarkroomPlatform
    import NIOCore
    import NIOSSL

    extension Error {
        /// Whether the peer has ended the connection, or is gone.
        package var isConnectionEnd: Bool {
            switch self as any Error {
            case let error as IOError: [ECONNRESET, EPIPE, ETIMEDOUT].contains(error.errnoCode)
            case let error as NIOSSLError: error == .uncleanShutdown
            default: false
            }
        }
    }
#endif
