#if HTTP
    public import DarkroomCore

    private enum HTTPCredentialKey: ImageContextKey {
        static var defaultValue: HTTPCredential? { nil }
        static func effect(of value: HTTPCredential?) -> ContextEffect { .nothing }
        static func flightFragment(for value: HTTPCredential?) -> String? {
            value.map { "HTTPCredential(\($0.fingerprint))" }
        }
    }

    extension ImageContext {
        /// The credential for the origin of the loaded URL. It is sent with the first request, without waiting for a
        /// challenge, and to no other origin that a redirect leads to.
        ///
        /// It takes precedence over user name and password in the URL, and these over
        /// `HTTPLoader.Configuration.credentials`; an `Authorization` field in `httpHeaders` takes precedence over all
        /// of them. Loads with different credentials share no transfer. The caches are private ones (RFC 9111, section
        /// 3.5), and the credential is not part of the cache key: a program that loads for several users who may see
        /// different images at the same URL needs a cache for each of them, or a key filter.
        public var httpCredential: HTTPCredential? {
            get { self[HTTPCredentialKey.self] }
            set { self[HTTPCredentialKey.self] = newValue }
        }
    }
#endif
