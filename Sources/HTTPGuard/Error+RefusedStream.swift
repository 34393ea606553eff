#if HTTP || S3
    import NIOHTTP2

    extension Error {
        /// Whether a server of HTTP/2 has not processed a request, and will not: it has refused the stream, or announced the
        /// end of the connection, at which swift-nio-http2 reports later streams as cancelled (RFC 9113, sections 6.8 and 8.7).
        package var isRefusedStream: Bool {
            guard let error = self as? NIOHTTP2Errors.StreamClosed else { return false }
            return [.refusedStream, .cancel].contains(error.errorCode)
        }
    }
#endif
