#if HTTP
    public import DarkroomCore

    private enum HTTPHeadersKey: ImageContextKey {
        static var defaultValue: [String: String] { [:] }
        static func cacheKeyFragment(for value: [String: String]) -> String? { nil }
        static func flightFragment(for value: [String: String]) -> String? {
            guard !value.isEmpty else { return nil }
            return "HTTPHeaders(\(value.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }))"
        }
    }

    extension ImageContext {
        /// Header fields of this load's requests; they replace those of the same name in `HTTPLoader.Configuration.headers`.
        ///
        /// They are not in the cache key: whoever may see other pictures at the same URL needs a key filter as well.
        /// They do not follow a redirect to another origin: see `HTTPLoader.Configuration.forwardsHeadersAcrossOrigins`.
        public var httpHeaders: [String: String] {
            get { self[HTTPHeadersKey.self] }
            set { self[HTTPHeadersKey.self] = newValue }
        }
    }
#endif
