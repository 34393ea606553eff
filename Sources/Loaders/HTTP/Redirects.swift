#if HTTP
    import DarkroomCore
    import NIOHTTP1

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    extension HTTPResponseHead {
        /// Where this answer to `url` sends us; `nil` when it is no redirect. An error when that is no place on the web.
        func redirectTarget(from url: URL) throws(ImageError) -> URL? {
            guard [301, 302, 303, 307, 308].contains(status.code), let location = headers.first(name: "location"),
                !location.isEmpty
            else { return nil }
            guard let target = URL(string: location, relativeTo: url)?.absoluteURL, target.isWeb else {
                // Not where to: there may be a secret in it.
                throw ImageError(.invalidURL, .load, "it redirects to something else than an http or https URL")
            }
            return target
        }
    }
#endif
