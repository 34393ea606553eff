#if HTTP
    public import DarkroomCore
    import Synchronization

    // Header fields that change while the loader is in use.
    extension HTTPLoader {
        /// The header fields of each request: those of the configuration, as changed by ``setHeader(_:for:)``.
        public var headers: [String: String] { currentHeaders.fields }

        /// Returns the value of the header field `name`, in any case; `nil` if the loader sends none by itself.
        public func header(_ name: String) -> String? { currentHeaders[name] }

        /// Sets the header field `name`, in any case, of this loader and its copies; `nil` removes it.
        ///
        /// The change takes effect for transfers that start afterwards, including those that wait now. Those in flight
        /// keep their fields, also for redirects. The field counts like one of ``Configuration/headers``: it is replaced
        /// by a field of `context.httpHeaders`, removed after a redirect to another origin, and a request that no longer
        /// sends it gets no image that a cache received with it, unless it reveals nothing about the caller. Any thread
        /// may call this method.
        ///
        /// - Throws: An error of kind `refused` if the name or the value contains invalid characters.
        public func setHeader(_ value: String?, for name: String) throws(ImageError) {
            guard name.isHTTPToken, value?.isHTTPFieldValue ?? true else {
                throw ImageError(
                    .refused, .request, "the header field \(name.debugDescription) contains invalid characters")
            }
            currentHeaders[name] = value
        }

        /// Returns a fingerprint of the header fields that ``setHeader(_:for:)`` has set and of what the app has done with the
        /// cookies.
        ///
        /// A cookie that a response sets does not change it: servers that replace cookies with each response would end the
        /// sharing of transfers.
        public func transferState(for request: LoadRequest) -> String {
            currentHeaders.fingerprint + (configuration.cookies?.state ?? "")
        }

        /// The configuration with the current header fields.
        var currentConfiguration: Configuration {
            var configuration = configuration
            configuration.headers = headers
            return configuration
        }
    }

    /// The current header fields of a loader and its copies.
    final class CurrentHeaders: Sendable {
        private struct State {
            var fields: [String: String]
            var fingerprint = ""
        }

        private let state: Mutex<State>

        init(_ fields: [String: String]) { state = Mutex(State(fields: fields)) }

        /// All fields.
        var fields: [String: String] { state.withLock(\.fields) }

        /// A fingerprint of all fields; empty as long as none has been set since the beginning.
        var fingerprint: String { state.withLock(\.fingerprint) }

        /// The value of the field `name`, in any case. If several names differ only in case, the last one is sent.
        subscript(name: String) -> String? {
            get {
                fields.filter { $0.key.equalsIgnoringASCIICase(name) }.max { $0.key < $1.key }?.value
            }
            set {
                state.withLock { state in
                    state.fields = state.fields.filter { !$0.key.equalsIgnoringASCIICase(name) }
                    state.fields[name] = newValue
                    state.fingerprint = state.fields.fingerprint
                }
            }
        }
    }
#endif
