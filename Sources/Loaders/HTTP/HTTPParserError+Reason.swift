#if HTTP
    import NIOHTTP1

    extension HTTPParserError {
        /// A clause that names the fault in the message.
        var reason: String {
            switch self {
            case .invalidHeaderToken:
                "a header line contains an invalid character or a space before its colon, or is folded"
            case .unexpectedContentLength: "there is more than one Content-Length, or one beside Transfer-Encoding"
            // The parser has several errors for which swift-nio has one.
            case .unknown:
                "a line ends without a carriage return, or Transfer-Encoding is invalid"
            case .lfExpected: "a line ends without a line feed"
            case .invalidEOFState: "the connection ended before the response was complete"
            case .closedConnection: "there are more bytes than the response announced"
            case .headerOverflow: "the header is too large"
            case .invalidChunkSize: "the size of a chunk is invalid"
            case .invalidContentLength: "the Content-Length is invalid"
            case .invalidConstant, .invalidVersion: "it does not begin with HTTP/1.1"
            case .invalidStatus: "the status is not a number of three digits"
            default: "\(self)"
            }
        }
    }
#endif
