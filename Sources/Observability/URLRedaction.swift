#if Observability
    import DarkroomCore

    /// The way URLs are written to logs and spans, where others can read them.
    public struct URLRedaction: Sendable {
        /// The maximum number of bytes of a URL or a message.
        static let byteLimit = 512

        private let redact: @Sendable (String) -> String

        /// Creates a redaction that writes the result of `redact` for the text of a URL, or for the source in a cache
        /// key.
        public init(_ redact: @escaping @Sendable (String) -> String) { self.redact = redact }

        /// Replaces everything that may be secret with `REDACTED`: user names and passwords, values of query items,
        /// parameters within the path, URLs escaped within the path, and the fragment.
        ///
        /// Of a data URL only the media type and the length are written. Host, path and names of query items remain,
        /// without control characters. The text is limited to 512 bytes.
        public static let standard = URLRedaction { RedactedURL.text(of: $0, byteLimit: byteLimit) }

        /// Returns the redacted text of `url`.
        public func callAsFunction(_ url: String) -> String { redact(url) }

        /// Returns a message that may quote URLs in a form that can be logged: on one line, with the URLs redacted, and
        /// limited in length.
        public func text(_ sentence: String) -> String {
            var written = ""
            var rest = Array(sentence.utf8)[...]
            while let first = rest.first, written.utf8.count <= Self.byteLimit {
                let isWord = !first.endsWord
                let run = rest.prefix { $0.endsWord != isWord }
                rest = rest[run.endIndex...]
                written += isWord ? word(run) : String(decoding: run, as: UTF8.self)
            }
            return written.oneLine(byteLimit: Self.byteLimit)
        }

        /// Returns a word with the URL redacted that it consists of or ends with.
        private func word(_ word: ArraySlice<UInt8>) -> String {
            guard let start = word.startOfURL else { return String(decoding: word, as: UTF8.self) }
            return String(decoding: word[..<start], as: UTF8.self)
                + redact(String(decoding: word[start...], as: UTF8.self))
        }
    }

    extension UInt8 {
        /// Whether the byte ends a URL: white space, a control character, `"`, `<` or `>`.
        fileprivate var endsWord: Bool {
            self <= 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "<") || self == UInt8(ascii: ">")
        }
    }

    extension ArraySlice<UInt8> {
        /// The start of a URL: the scheme before `://` or of a data URL; otherwise the start of the word if it has a
        /// query.
        fileprivate var startOfURL: Int? {
            for colon in indices where self[colon] == UInt8(ascii: ":") {
                let scheme = self[..<colon].suffix { $0.isSchemeByte }
                if self[(colon + 1)...].starts(with: "//".utf8) || scheme.isData { return scheme.startIndex }
            }
            guard let questionMark = firstIndex(of: UInt8(ascii: "?")), questionMark + 1 < endIndex else { return nil }
            return startIndex
        }

        private func suffix(while isIncluded: (UInt8) -> Bool) -> Self {
            guard let last = lastIndex(where: { !isIncluded($0) }) else { return self }
            return self[(last + 1)...]
        }
    }

    extension String {
        /// Returns the text without line breaks and invisible characters, truncated to `byteLimit` bytes.
        fileprivate func oneLine(byteLimit: Int) -> String {
            var line = String.UnicodeScalarView()
            var byteCount = 0
            for scalar in unicodeScalars {
                byteCount += UTF8.width(scalar)
                guard byteCount <= byteLimit else { return String(line) + "..." }
                line.append(scalar.breaksLines ? " " : scalar)
            }
            return String(line)
        }
    }

    extension Unicode.Scalar {
        fileprivate var breaksLines: Bool {
            switch properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: true
            default: false
            }
        }
    }
#endif
