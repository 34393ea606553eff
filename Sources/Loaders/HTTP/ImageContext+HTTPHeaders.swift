#if HTTP
    public import DarkroomCore

    private enum HTTPHeadersKey: ImageContextKey {
        static var defaultValue: [String: String] { [:] }
        static func effect(of value: [String: String]) -> ContextEffect { .nothing }
        static func flightFragment(for value: [String: String]) -> String? {
            guard !value.isEmpty else { return nil }
            return "HTTPHeaders(\(value.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }))"
        }
    }

    extension ImageContext {
        /// Additional header fields for the requests of this load. They replace fields of the same name in
        /// `HTTPLoader.Configuration.headers`.
        ///
        /// They are not part of the cache key: if they can change the image at a URL, add a key filter. They are not
        /// sent after a redirect to another origin: see `HTTPLoader.Configuration.forwardsHeadersAcrossOrigins`.
        public var httpHeaders: [String: String] {
            get { self[HTTPHeadersKey.self] }
            set { self[HTTPHeadersKey.self] = newValue }
        }
    }
#endif
