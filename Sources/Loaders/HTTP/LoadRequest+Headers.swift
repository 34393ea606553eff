#if HTTP
    import DarkroomCore
    import NIOHTTP1

    extension LoadRequest {
        /// Returns the header fields of the first request: the loader's and those of the cache use, replaced by the
        /// caller's, replaced by the validators.
        func headers(_ configuration: HTTPLoader.Configuration) throws(ImageError) -> HTTPHeaders {
            var headers = HTTPHeaders()
            let callers = context.httpHeaders.sorted { $0.key < $1.key }
            let own = configuration.headers.sorted { $0.key < $1.key } + cacheDirectives
            for (name, value) in own + callers + validators {
                // A line break would start another field or another request (header injection).
                guard name.isHTTPToken, value.isHTTPFieldValue else {
                    throw ImageError(
                        .refused, .load, "the header field \(name.debugDescription) contains invalid characters")
                }
                headers.replaceOrAdd(name: name, value: value)
            }
            return headers
        }

        /// The directives by which caches on the way pass a request on that must reach the origin server: as a browser
        /// does it for a reload (RFC 9111, section 5.2.1).
        private var cacheDirectives: [(key: String, value: String)] {
            switch context.cacheUse {
            case .standard, .cacheOnly: []
            case .refresh: [("Cache-Control", "max-age=0")]
            case .loaderOnly: [("Cache-Control", "no-cache"), ("Pragma", "no-cache")]
            }
        }

        /// The header fields that revalidate the stored response (RFC 9110, section 13.1).
        var validators: [(key: String, value: String)] {
            [("If-None-Match", stored?.headers["etag"]), ("If-Modified-Since", stored?.headers["last-modified"])]
                .compactMap { name, value in value.map { (name, $0) } }
        }
    }

    extension String {
        /// Whether it is a token (RFC 9110, section 5.6.2), as the names of fields and products are.
        var isHTTPToken: Bool { !isEmpty && utf8.allSatisfy(\.isHTTPTokenByte) }

        /// Whether it is a valid value of a header field.
        var isHTTPFieldValue: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 } }
    }

    extension UInt8 {
        /// Whether a token may contain this byte.
        var isHTTPTokenByte: Bool { isASCIIAlphanumeric || "!#$%&'*+-.^_`|~".utf8.contains(self) }
    }
#endif
