#if S3
    import DarkroomCore

    /// The percent encoding that signatures prescribe: all bytes but letters, digits, `-`, `.`, `_` and `~` are escaped.
    enum PercentEncoding {
        /// Returns the path of an object. Slashes are not escaped.
        static func path(_ key: some Sequence<UInt8>) -> String { encode(key, except: UInt8(ascii: "/")) }

        /// Returns a query of sorted items.
        static func query(_ items: [(name: String, value: String)]) -> String {
            items.map { (encode($0.name.utf8), encode($0.value.utf8)) }
                .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
                .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        }

        private static func encode(_ bytes: some Sequence<UInt8>, except other: UInt8? = nil) -> String {
            var encoded: [UInt8] = []
            for byte in bytes {
                if byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte) || byte == other {
                    encoded.append(byte)
                } else {
                    encoded.appendPercentEscape(of: byte)
                }
            }
            return String(decoding: encoded, as: UTF8.self)
        }
    }
#endif
