#if Observability
    import DarkroomCore

    /// Redacts the text of a URL byte by byte, by the generic syntax only: a URL parser would reject malformed texts
    /// that must be logged all the same, and could see other component boundaries than the server that reads a hostile
    /// one.
    enum RedactedURL {
        private static let replacement = Array("REDACTED".utf8)
        private static let slash = UInt8(ascii: "/")

        /// Returns the text without potential secrets, in printable ASCII, truncated to `byteLimit` bytes.
        static func text(of url: String, byteLimit: Int) -> String {
            let bytes = url.utf8.drop { $0 <= 0x20 }
            let scheme = bytes.prefix(5)
            if scheme.count == 5, scheme.last == UInt8(ascii: ":"), scheme.dropLast().isData {
                return dataURL(Array(bytes.dropFirst(5).prefix(128)), byteCount: bytes.count - 5)
            }
            let written = Array(redacted(Array(bytes)[...]).prefix(byteLimit + 1)).printable
            guard written.count > byteLimit else { return String(decoding: written, as: UTF8.self) }
            return String(decoding: written.prefix(byteLimit), as: UTF8.self) + "...[\(bytes.count) bytes]"
        }

        /// Returns the media type and the length. `start` is the beginning of the text after the scheme.
        private static func dataURL(_ start: [UInt8], byteCount: Int) -> String {
            guard let comma = start.firstIndex(of: UInt8(ascii: ",")) else { return "data:[\(byteCount) bytes]" }
            let type = start[..<comma].prefix { $0 != UInt8(ascii: ";") }
            let isType = type.contains(slash) && type.allSatisfy { $0.isSchemeByte || $0 == slash }
            return "data:\(isType ? String(decoding: type, as: UTF8.self) : ""),[\(byteCount - comma - 1) bytes]"
        }

        private static func redacted(_ url: ArraySlice<UInt8>) -> [UInt8] {
            let beforeFragment = url.prefix { $0 != UInt8(ascii: "#") }
            let hierarchy = beforeFragment.prefix { $0 != UInt8(ascii: "?") }
            var written = redacted(hierarchy: hierarchy)
            if hierarchy.endIndex < beforeFragment.endIndex {
                let items = beforeFragment[(hierarchy.endIndex + 1)...]
                    .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
                written += "?".utf8
                written += items.map { redacted(item: $0) }.joined(separator: "&".utf8)
            }
            if beforeFragment.endIndex < url.endIndex { written += "#REDACTED".utf8 }
            return written
        }

        /// Redacts scheme, authority and path.
        private static func redacted(hierarchy: ArraySlice<UInt8>) -> [UInt8] {
            let name = hierarchy.prefix { $0.isSchemeByte }
            let hasScheme = !name.isEmpty && hierarchy[name.endIndex...].first == UInt8(ascii: ":")
            let scheme = hasScheme ? hierarchy[...name.endIndex] : hierarchy.prefix(0)
            var path = hierarchy[scheme.endIndex...]
            var written = Array(scheme)
            if path.starts(with: "//".utf8) {
                let authority = authority(at: path.dropFirst(2), scheme: name)
                written += [slash, slash] + redacted(authority: authority)
                path = path[authority.endIndex...]
            } else if hasScheme {
                // What looks like a scheme may be a user name.
                let start = path.prefix { $0 != slash }
                if let at = start.lastIndex(of: UInt8(ascii: "@")) {
                    written = replacement
                    path = path[at...]
                }
            }
            let segments = path.split(separator: slash, omittingEmptySubsequences: false)
            return written + segments.map { redacted(segment: $0) }.joined(separator: "/".utf8)
        }

        /// Returns the authority at the start of `rest`, up to the first slash.
        ///
        /// What looks like a port may be the start of a password that contains a slash, which clients of databases
        /// accept. Then the authority ends after the last `@` and the host that follows.
        private static func authority(at rest: ArraySlice<UInt8>, scheme: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
            let plain = rest.prefix { $0 != slash }
            let isWeb = ["http", "https"].contains { name in
                name.utf8.elementsEqual(scheme) { $0 == $1.asciiLowercased }
            }
            let hasPort = isWeb && plain.isHostAndPort
            guard plain.contains(UInt8(ascii: ":")), !hasPort, let at = rest.lastIndex(of: UInt8(ascii: "@")) else {
                return plain
            }
            return rest[..<(rest[at...].firstIndex(of: slash) ?? rest.endIndex)]
        }

        private static func redacted(authority: ArraySlice<UInt8>) -> [UInt8] {
            let at = authority.lastIndex(of: UInt8(ascii: "@"))
            let host = at.map { authority[($0 + 1)...] } ?? authority
            return (at == nil ? [] : replacement + [UInt8(ascii: "@")])
                + (host.isHostAndPort ? Array(host) : replacement)
        }

        /// Redacts a path segment, which may contain another URL, escaped or not.
        private static func redacted(segment: ArraySlice<UInt8>) -> [UInt8] {
            var unescaped = String(decoding: segment, as: UTF8.self)
            if segment.contains(UInt8(ascii: "%")) {
                for _ in 0..<3 { unescaped = unescaped.percentDecoded }
            }
            let bytes = Array(unescaped.utf8)
            let equals = UInt8(ascii: "=")
            let hasQuery =
                bytes.contains(UInt8(ascii: "?"))
                || bytes.count { $0 == equals } > segment.count { $0 == equals }
            let beforeAt = bytes[..<(bytes.lastIndex(of: UInt8(ascii: "@")) ?? 0)]
            if hasQuery || beforeAt.contains(UInt8(ascii: ":")) { return replacement }
            guard let parameters = segment.firstIndex(of: UInt8(ascii: ";")) else { return Array(segment) }
            return segment[...parameters] + replacement
        }

        /// Redacts a query item except for its name, unless the name may be the secret.
        private static func redacted(item: ArraySlice<UInt8>) -> [UInt8] {
            guard let equals = item.firstIndex(of: UInt8(ascii: "=")) else { return item.isEmpty ? [] : replacement }
            let hasValue = item[equals...].contains { $0 != UInt8(ascii: "=") }
            let name = item[..<equals]
            return hasValue && name.isItemName ? Array(item[...equals]) + replacement : replacement
        }
    }

    extension Collection<UInt8> {
        /// Whether this is the scheme `data`.
        var isData: Bool { elementsEqual("data".utf8) { $0.asciiLowercased == $1 } }
    }

    extension ArraySlice<UInt8> {
        /// Whether this is a host, optionally with a port, and not the beginning of a text that contains a password.
        fileprivate var isHostAndPort: Bool {
            let bracket = starts(with: "[".utf8) ? firstIndex(of: UInt8(ascii: "]")) : nil
            let afterName = self[(bracket ?? startIndex)...]
            guard let colon = afterName.firstIndex(of: UInt8(ascii: ":")) else { return true }
            let port = self[(colon + 1)...]
            return port.count <= 5 && port.allSatisfy(\.isASCIIDigit)
        }

        /// Whether this can only be a name: short, and made of letters, digits, `_`, `-`, `.` and brackets.
        fileprivate var isItemName: Bool {
            count <= 32 && allSatisfy { $0.isASCIIAlphanumeric || "_-.[]".utf8.contains($0) }
        }
    }

    extension [UInt8] {
        /// A copy with every byte percent-encoded except printable ASCII other than `"`, `<`, `>`, `\` and the
        /// backtick.
        fileprivate var printable: [UInt8] {
            var printable: [UInt8] = []
            for byte in self {
                if 0x21...0x7E ~= byte, !"\"<>\\`".utf8.contains(byte) {
                    printable.append(byte)
                } else {
                    printable.appendPercentEscape(of: byte)
                }
            }
            return printable
        }
    }
#endif
