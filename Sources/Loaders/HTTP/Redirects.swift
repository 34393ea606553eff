#if HTTP
    import DarkroomCore
    import DarkroomPlatform
    import NIOHTTP1

    extension HTTPResponseHead {
        /// Returns the URL that this response to a request for `url` redirects to; `nil` when it is no redirect.
        ///
        /// - Throws: An error if the target is no `http:` or `https:` URL.
        func redirectTarget(from url: URL) throws(ImageError) -> URL? {
            guard [301, 302, 303, 307, 308].contains(status.code), let location = headers.first(name: "location"),
                !location.isEmpty
            else { return nil }
            // Some origins redirect to international host names, which `URL` does not accept.
            let found = URL(string: location, relativeTo: url)?.absoluteURL ?? HTTPLoader.url(from: location)
            guard let target = found, target.isHTTP else {
                // The message omits the target, which may contain a secret.
                throw ImageError(.invalidURL, .load, "the origin redirects to a URL that is neither http nor https")
            }
            return target
        }
    }
#endif
