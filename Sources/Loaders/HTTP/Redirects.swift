#if HTTP
    import AsyncHTTPClient
    import DarkroomCore
    import NIOHTTP1

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    extension HTTPClientResponse {
        /// Where this answer to `url` sends us; `nil` when it is no redirect. An error when that is no place on the web.
        func redirectTarget(from url: URL) throws(ImageError) -> URL? {
            guard [301, 302, 303, 307, 308].contains(status.code), let location = headers.first(name: "location"),
                !location.isEmpty
            else { return nil }
            guard let target = URL(string: location, relativeTo: url)?.absoluteURL, target.isWeb else {
                throw ImageError(
                    .invalidURL, .load, "it redirects to \(location), and only http and https URLs are followed")
            }
            return target
        }
    }

    extension URL {
        /// Whether `other` is answered by the same server: same scheme, host and port.
        func hasSameOrigin(as other: URL) -> Bool { origin == other.origin }

        private var origin: [String?] {
            let scheme = scheme?.lowercased()
            return [scheme, host?.lowercased(), String(port ?? (scheme == "https" ? 443 : 80))]
        }
    }

    extension HTTPHeaders {
        /// Removes what was meant for one origin only.
        mutating func removeCredentials() {
            for name in ["Authorization", "Cookie", "Proxy-Authorization", "Host"] { remove(name: name) }
        }
    }
#endif
