#if HTTP
    import DarkroomCore
    import NIOHTTP1

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    /// One of the requests of a transfer: where it goes and what it says. Redirects lead from one to the next.
    struct Hop: Sendable {
        /// Where it goes.
        private(set) var url: URL

        /// Its header fields.
        private(set) var headers: HTTPHeaders

        /// The first one of `request`.
        init(_ request: LoadRequest, _ configuration: HTTPLoader.Configuration) throws(ImageError) {
            url = request.url
            headers = try request.headers(configuration)
        }

        /// Goes where a redirect points, without what was meant for one origin only if that is another one.
        ///
        /// The way back does not bring it back.
        mutating func follow(to target: URL) {
            if Origin(target) != Origin(url) { headers.removeCredentials() }
            url = target
        }
    }

    extension HTTPHeaders {
        /// Removes what was meant for one origin only.
        fileprivate mutating func removeCredentials() {
            for name in ["Authorization", "Cookie", "Proxy-Authorization", "Host"] { remove(name: name) }
        }
    }
#endif
