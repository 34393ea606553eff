#if HTTP
    import DarkroomCore
    public import DarkroomPlatform

    extension HTTPLoader {
        /// Returns the URL that `text` stands for in the address bar of a browser; `nil` if there is none.
        ///
        /// White space and control characters around it are removed, characters of the path and the query that are not
        /// ASCII are escaped, escapes in the host are resolved, an international host name is converted to its ASCII form,
        /// and the segments `.` and `..` of the path are resolved. Other schemes than `http` and `https` are left as they are.
        ///
        /// Names are mapped as by UTS 46, and must satisfy the Bidi rule (RFC 5893). Symbols, joiners and compatibility
        /// characters other than full-width ones are refused, although browsers accept some. Labels that are in ASCII form
        /// already (`xn--`) are passed on without a check, and combinations of scripts that look like other names are not
        /// detected.
        public static func url(from text: String) -> URL? {
            let trimmed = text.trimmedURL
            guard let place = WebText(trimmed) else { return URL(string: trimmed) }
            guard let host = InternationalHost.ascii(String(place.host).percentDecoded),
                let url = URL(string: place.with(host: host))
            else {
                return nil
            }
            return url.withoutDotSegments
        }
    }

    /// The text of a URL with the scheme `http` or `https`, in three parts.
    private struct WebText {
        private let prefix: Substring
        let host: Substring
        private let suffix: Substring

        /// `nil` for other schemes, and for a host in brackets.
        init?(_ text: String) {
            guard text.startsIgnoringASCIICase(with: "http://") || text.startsIgnoringASCIICase(with: "https://"),
                let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
            else { return nil }
            let start = text.utf8.index(colon, offsetBy: 3)
            let end = text.utf8[start...].firstIndex { "/?#\\".utf8.contains($0) } ?? text.endIndex
            let hostStart =
                text.utf8[start..<end].lastIndex(of: UInt8(ascii: "@")).map(text.utf8.index(after:)) ?? start
            let hostEnd = text.utf8[hostStart..<end].firstIndex(of: UInt8(ascii: ":")) ?? end
            guard text.utf8[hostStart..<end].first != UInt8(ascii: "[") else { return nil }
            (prefix, host, suffix) = (text[..<hostStart], text[hostStart..<hostEnd], text[hostEnd...])
        }

        func with(host: String) -> String { prefix + host + suffix }
    }

    extension String {
        /// This text without the white space and control characters around it, and without a byte order mark.
        fileprivate var trimmedURL: String {
            let isOuter: (Unicode.Scalar) -> Bool = {
                $0.value <= 0x20 || $0.properties.isWhitespace || $0 == "\u{FEFF}"
            }
            let rest = unicodeScalars.drop(while: isOuter)
            return rest.lastIndex { !isOuter($0) }.map { String(rest[...$0]) } ?? ""
        }
    }

    extension URL {
        /// This URL with the segments `.` and `..` of its path resolved (RFC 3986, section 5.2.4).
        fileprivate var withoutDotSegments: URL {
            guard var components = URLComponents(url: self, resolvingAgainstBaseURL: false) else { return self }
            let segments = components.percentEncodedPath.fields(separatedBy: UInt8(ascii: "/")).dropFirst()
            guard segments.contains(where: { $0.dotCount > 0 }) else { return self }
            var kept: [Substring] = []
            for segment in segments {
                switch segment.dotCount {
                case 1: break
                case 2: _ = kept.popLast()
                default: kept.append(segment)
                }
            }
            // A path that ends with such a segment is that of a folder.
            if segments.last?.dotCount != 0 { kept.append("") }
            components.percentEncodedPath = "/" + kept.joined(separator: "/")
            return components.url ?? self
        }
    }

    extension Substring {
        /// 1 for the segment `.`, 2 for `..`, also if their dots are escaped; otherwise 0.
        fileprivate var dotCount: Int {
            switch lowercased() {
            case ".", "%2e": 1
            case "..", ".%2e", "%2e.", "%2e%2e": 2
            default: 0
            }
        }
    }
#endif
