#if HTTP || S3
    import DarkroomPlatform
    import NIOCore
    import NIOSSL

    extension Error {
        /// Whether the peer has ended the connection.
        package var isConnectionEnd: Bool {
            switch self as any Error {
            case let error as IOError: [ECONNRESET, EPIPE].contains(error.errnoCode)
            case let error as NIOSSLError: error == .uncleanShutdown
            default: false
            }
        }
    }
#endif
