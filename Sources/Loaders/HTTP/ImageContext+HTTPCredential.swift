#if HTTP
    public import DarkroomCore

    private enum HTTPCredentialKey: ImageContextKey {
        static var defaultValue: HTTPCredential? { nil }
        static func cacheKeyFragment(for value: HTTPCredential?) -> String? { nil }
        static func flightFragment(for value: HTTPCredential?) -> String? {
            value.map { "HTTPCredential(\($0.fingerprint))" }
        }
    }

    extension ImageContext {
        /// Who asks, for the origin of the URL that is loaded: sent with the first request already, and not to any other
        /// origin that a redirect leads to.
        ///
        /// It comes before user and password in the URL, and these before `HTTPLoader.Configuration.credentials`; an
        /// `Authorization` in `httpHeaders` comes before all. Loads with different credentials share no transfer. The
        /// caches are private ones (RFC 9111, section 3.5), and the credential is not in the cache key: whoever loads for
        /// several people who may see different pictures at one URL gives each caches of their own, or a key filter.
        public var httpCredential: HTTPCredential? {
            get { self[HTTPCredentialKey.self] }
            set { self[HTTPCredentialKey.self] = newValue }
        }
    }
#endif
