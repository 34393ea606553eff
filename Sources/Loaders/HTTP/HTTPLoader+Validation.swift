#if HTTP
    import DarkroomCore

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    extension HTTPLoader.Configuration {
        /// Throws an error when `url` has a scheme or a port that a request must not go to.
        func checkPlace(of url: URL) throws(ImageError) {
            guard (url.port.map { (1...65535).contains($0) } ?? true) else {
                throw ImageError(.invalidURL, .load, "the URL has a port that does not exist")
            }
            guard let origin = Origin(url) else {
                throw ImageError(.invalidURL, .load, "the URL has no host that could be asked")
            }
            guard schemes.contains(origin.scheme) else {
                throw ImageError(
                    .refused, .load,
                    "\(origin.scheme) is not allowed; allow it with HTTPLoader.Configuration.schemes")
            }
            guard ports?.contains(origin.port) ?? true else {
                throw ImageError(
                    .refused, .load,
                    "port \(origin.port) is not allowed; allow it with HTTPLoader.Configuration.ports")
            }
        }
    }
#endif
