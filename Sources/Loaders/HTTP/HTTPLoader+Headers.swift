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

        /// The configuration with the current header fields.
        var currentConfiguration: Configuration {
            var configuration = configuration
            configuration.headers = headers
            return configuration
        }
    }

    /// The current header fields of a loader and its copies.
    final class CurrentHeaders: Sendable {
        private let state: Mutex<[String: String]>

        init(_ fields: [String: String]) { state = Mutex(fields) }

        /// All fields.
        var fields: [String: String] { state.withLock(\.self) }

        /// The value of the field `name`, in any case. If several names differ only in case, the last one is sent.
        subscript(name: String) -> String? {
            get {
                fields.filter { $0.key.equalsIgnoringASCIICase(name) }.max { $0.key < $1.key }?.value
            }
            set {
                state.withLock { fields in
                    fields = fields.filter { !$0.key.equalsIgnoringASCIICase(name) }
                    fields[name] = newValue
                }
            }
        }
    }
#endif
