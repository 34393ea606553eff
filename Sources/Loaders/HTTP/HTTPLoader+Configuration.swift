#if HTTP
    public import DarkroomCore

    #if canImport(FoundationEssentials)
        public import FoundationEssentials
    #else
        public import Foundation
    #endif

    extension HTTPLoader {
        /// How an `HTTPLoader` loads.
        public struct Configuration: Sendable {
            /// The longest wait for a connection, TLS included, and before it for an address to check: 10 seconds.
            public var connectTimeout: Duration = .seconds(10)

            /// The longest wait for the head of a response, connecting included, anew after each redirect: 15 seconds.
            /// `nil` for no bound.
            public var firstByteTimeout: Duration? = .seconds(15)

            /// The longest wait for the next bytes of a body: 15 seconds. Time that the reader takes does not count.
            /// `nil` for no bound.
            public var idleTimeout: Duration? = .seconds(15)

            /// The longest time for a whole transfer, redirects included, once it has its turn: 300 seconds.
            /// `nil` for no bound.
            public var totalTimeout: Duration? = .seconds(300)

            /// How many redirects are followed: 5.
            public var redirectLimit = 5

            /// How often a transfer whose connection breaks in the middle of a body goes on where it was: 2.
            ///
            /// It does so when the origin sent a strong validator (RFC 9110, section 8.8.1) and no content encoding, and only
            /// with bytes that are sure to continue the ones that came.
            public var resumeLimit = 2

            /// How many transfers run at once; others wait, the more urgent first: 6.
            public var maxConcurrentTransfers = 6

            /// How many transfers from one host run at once; `nil`, the default, for no such bound.
            public var maxConcurrentTransfersPerHost: Int?

            /// How often transfers may start; `nil`, the default, for no such bound.
            public var rateLimit: RateLimit?

            /// Which of the transfers that wait with one priority comes first.
            public var transferOrder = LoadOrder.firstInFirstOut

            /// Header fields of each request: `Accept` for pictures first, and a `User-Agent` that names this program.
            ///
            /// Fields of `context.httpHeaders` replace those of the same name. After a redirect to another origin most are
            /// left out: see `forwardsHeadersAcrossOrigins`.
            public var headers = ["Accept": "image/*,*/*;q=0.8", "User-Agent": HTTPLoader.userAgent()]

            /// The status codes that count as success: 200 to 299. `nil` for all.
            public var acceptableStatusCodes: Set<Int>? = Set(200..<300)

            /// The content types that may hold a picture, such as `image/png` or `image/*`. `nil` for all.
            ///
            /// A page that explains an error, sent as a success, shall not pass for a picture. A response that names no type
            /// does, and in any case it is the bytes that decide what they are.
            public var acceptableContentTypes: Set<String>? = [
                "image/*", "application/octet-stream", "binary/octet-stream",
            ]

            /// How many times as large as what was sent a body may get when its content encoding is undone: 100.
            ///
            /// `context.limits.encodedByteCount` counts what comes out.
            public var decompressionRatioLimit = 100

            /// To which addresses the loader connects: `any`. A server that loads what strangers name wants `publicOnly`.
            public var addressPolicy = AddressPolicy.any

            /// The schemes that are asked, also after a redirect: `http` and `https`.
            public var schemes: Set<String> = ["http", "https"]

            /// The ports that are asked, also after a redirect; `nil`, the default, for all.
            public var ports: Set<Int>?

            /// Checks the URL of each request before it is sent, those after redirects included; `nil`, the default, allows all.
            ///
            /// The URL has no user and no password. An error ends the load with an error of kind `refused`.
            public var checkURL: (@Sendable (_ url: URL) throws -> Void)?

            /// Whether header fields of `headers` and `context.httpHeaders` are also sent after a redirect to another origin: no.
            ///
            /// Fields that say nothing about the caller are sent in any case (`Accept`, `Accept-Encoding`, `Accept-Language`,
            /// `Cache-Control` and `User-Agent`); `Authorization`, `Cookie`, `Host` and `Proxy-Authorization` never are.
            public var forwardsHeadersAcrossOrigins = false

            /// Who asks, by origin such as `https://example.com:8443`: sent with each request to that origin, and to no other.
            ///
            /// `context.httpCredential` says it for one load.
            public var credentials: [String: HTTPCredential] = [:]

            /// The cookies that are sent, and those that come; `nil`, the default, for none.
            public var cookies: CookieStore?

            /// The server that connects to origins for us; `nil`, the default, for none.
            public var proxy: Proxy?

            /// Whose word on the identity of an origin is believed: the system's authorities.
            public var trustRoots = TrustRoots.system

            /// Whether anybody may pass for any origin of `https:` URLs: no. For tests against servers of one's own; what is
            /// read then can come from anywhere, and credentials can go anywhere.
            public var allowsInvalidCertificates = false

            /// Finds the addresses of a host for `addressPolicy`; `nil` for the system's way.
            package var lookup: (@Sendable (_ host: String) async throws -> [IPAddress])?

            /// The defaults above.
            public init() {}
        }
    }
#endif
