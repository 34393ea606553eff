#if HTTP
    public import DarkroomCore
    public import DarkroomPlatform

    extension HTTPLoader {
        /// The settings of an `HTTPLoader`.
        public struct Configuration: Sendable {
            /// The timeout for establishing a connection, TLS included, and for the preceding lookup of a checked
            /// address: 10 seconds.
            public var connectTimeout: Duration = .seconds(10)

            /// The timeout for the head of a response, connecting included; it restarts after each redirect: 15
            /// seconds. `nil` for none.
            public var firstByteTimeout: Duration? = .seconds(15)

            /// The timeout for the next bytes of a body: 15 seconds. Time spent by the reader does not count. `nil` for
            /// none.
            public var idleTimeout: Duration? = .seconds(15)

            /// The time after which an origin that sends nothing over HTTP/2, although requests are open, is asked whether it is
            /// there, and the time that it has to answer: 5 seconds. Otherwise the connection is closed, and requests without
            /// any response are sent again over another one, unless it was new. On Linux the same happens over HTTP/1.1 if a
            /// request does not even reach the origin within both times. `nil` waits for the other timeouts.
            ///
            /// A connection breaks without a sign while a laptop sleeps or changes its network.
            public var pingTimeout: Duration? = .seconds(5)

            /// The timeout for a whole transfer, redirects included, without the time in the queue: 300 seconds. `nil`
            /// for none.
            public var totalTimeout: Duration? = .seconds(300)

            /// The maximum number of redirects that a load follows: 5.
            public var redirectLimit = 5

            /// The maximum number of times that a transfer is resumed after its connection broke in the middle of a body: 2.
            ///
            /// A transfer can be resumed if the origin sent a strong validator (RFC 9110, section 8.8.1) and no content
            /// encoding. Only bytes that provably continue the received ones are accepted.
            public var resumeLimit = 2

            /// The maximum number of concurrent transfers: 6. Others wait in order of urgency.
            public var transferLimit = 6

            /// The maximum number of concurrent transfers for each host; `nil`, the default, for no limit.
            public var transferLimitPerHost: Int?

            /// The rate at which transfers may start; `nil`, the default, for no limit.
            public var rateLimit: RateLimit?

            /// The order in which waiting transfers of equal priority start.
            public var transferOrder = LoadOrder.firstInFirstOut

            /// The header fields of each request: `Accept`, which prefers images, and a `User-Agent` that names this
            /// program.
            ///
            /// ``HTTPLoader/setHeader(_:for:)`` changes them while the loader is in use, and fields of
            /// `context.httpHeaders` replace those of the same name. Most are removed after a redirect to
            /// another origin: see `forwardsHeadersAcrossOrigins`.
            public var headers = ["Accept": "image/*,*/*;q=0.8", "User-Agent": HTTPLoader.userAgent()]

            /// The status codes that count as success: 200 to 299. `nil` accepts all.
            public var acceptableStatusCodes: Set<Int>? = Set(200..<300)

            /// The accepted content types, such as `image/png` or `image/*`. `nil` accepts all.
            ///
            /// They keep an HTML error page that is sent with a success status from being treated as an image. A
            /// response without a content type is accepted; the format is always detected from the bytes.
            public var acceptableContentTypes: Set<String>? = [
                "image/*", "application/octet-stream", "binary/octet-stream",
            ]

            /// Whether secure connections may use HTTP/2: no. Allow it only for origins that you trust.
            ///
            /// Loads end within their timeouts over HTTP/2 too, but an origin that offers HTTP/2 only at times can end the
            /// process through the HTTP/2 implementation that this loader stands on. One that agrees to HTTP/2 and then does
            /// not introduce itself with its settings holds one connection for as long as it likes: until then, later loads
            /// from it fail with `timedOut`, and ``HTTPLoader/shutdown()`` waits for `connectTimeout` at most.
            public var allowsHTTP2 = false

            /// The maximum ratio of the decoded body to the transferred one for responses with a content encoding: 100.
            ///
            /// `context.limits.encodedByteCount` applies to the decoded body.
            public var decompressionRatioLimit = 100

            /// The addresses that the loader may connect to: `any`. Use `publicOnly` on servers that load URLs supplied
            /// by clients.
            public var addressPolicy = AddressPolicy.any

            /// The schemes that requests may use, also after a redirect: `http` and `https`.
            public var schemes: Set<String> = ["http", "https"]

            /// The ports that requests may use, also after a redirect; `nil`, the default, for all.
            public var ports: Set<Int>?

            /// Checks the URL of each request before it is sent, also after a redirect; `nil`, the default, allows all.
            ///
            /// The URL contains no user name or password. If the closure throws, the load fails with an error of kind
            /// `refused`.
            public var checkURL: (@Sendable (_ url: URL) throws -> Void)?

            /// Whether fields of `headers` and `context.httpHeaders` are also sent after a redirect to another origin:
            /// `false`.
            ///
            /// Fields that reveal nothing about the caller are always sent (`Accept`, `Accept-Encoding`,
            /// `Accept-Language`, `Cache-Control` and `User-Agent`); `Authorization`, `Cookie`, `Host` and
            /// `Proxy-Authorization` never are.
            public var forwardsHeadersAcrossOrigins = false

            /// Credentials by origin, such as `https://example.com:8443`. Each is sent with every request to its origin
            /// and to no other.
            ///
            /// `context.httpCredential` sets the credential of one load.
            public var credentials: [String: HTTPCredential] = [:]

            /// The store of the cookies to send, which also receives new ones; `nil`, the default, disables cookies.
            public var cookies: CookieStore?

            /// The proxy that connects to origins; `nil`, the default, for none.
            public var proxy: Proxy?

            /// The certificate authorities that are trusted to identify an origin: the system's.
            public var trustRoots = TrustRoots.system

            /// Whether certificates of `https:` origins are accepted without verification: `false`. Only for tests
            /// against your own servers: responses can come from anyone, and so can credentials reach anyone.
            public var allowsInvalidCertificates = false

            /// Resolves the hosts that `addressPolicy` checks; `nil` uses the system's resolver.
            package var lookup: (@Sendable (_ host: String) async throws -> [IPAddress])?

            /// Creates a configuration with the defaults above.
            public init() {}
        }
    }
#endif
