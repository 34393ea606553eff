#if Observability
    import DarkroomCore

    /// How URLs are written where others read them: in logs and in spans.
    public struct URLRedaction: Sendable {
        /// The most bytes of a URL, or of a sentence, that are written.
        static let byteLimit = 512

        private let redact: @Sendable (String) -> String

        /// A redaction that writes what `redact` answers for the text of a URL, or for what stands for one in a cache key.
        public init(_ redact: @escaping @Sendable (String) -> String) { self.redact = redact }

        /// What can be secret becomes `REDACTED`: user names and passwords, what query items say, parameters within the path,
        /// URLs escaped within the path, the fragment.
        ///
        /// Of a data URL only media type and length are written. Host, path and the names of query items stay, without
        /// control characters, and 512 bytes of it all.
        public static let standard = URLRedaction { RedactedURL.text(of: $0, byteLimit: byteLimit) }

        /// What is written for `url`.
        public func callAsFunction(_ url: String) -> String { redact(url) }

        /// What is written for a sentence that may quote URLs: it on one line, with those redacted, and not too long.
        func text(_ sentence: String) -> String {
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

        /// A word, with the URL redacted that it is, or that it ends in.
        private func word(_ word: ArraySlice<UInt8>) -> String {
            guard let start = word.startOfURL else { return String(decoding: word, as: UTF8.self) }
            return String(decoding: word[..<start], as: UTF8.self)
                + redact(String(decoding: word[start...], as: UTF8.self))
        }
    }

    extension UInt8 {
        /// Whether no URL goes on here: at white space, control characters, `"`, `<` and `>`.
        fileprivate var endsWord: Bool {
            self <= 0x20 || self == UInt8(ascii: "\"") || self == UInt8(ascii: "<") || self == UInt8(ascii: ">")
        }
    }

    extension ArraySlice<UInt8> {
        /// Where a URL begins: at the scheme of something with `://` or of a data URL; else at the start, if there is a query.
        fileprivate var startOfURL: Int? {
            for colon in indices where self[colon] == UInt8(ascii: ":") {
                let scheme = self[..<colon].suffix { $0.isSchemeByte }
                if self[(colon + 1)...].starts(with: "//".utf8) || scheme.isData { return scheme.startIndex }
            }
            guard let mark = firstIndex(of: UInt8(ascii: "?")), mark + 1 < endIndex else { return nil }
            return startIndex
        }

        private func suffix(while isIncluded: (UInt8) -> Bool) -> Self {
            guard let last = lastIndex(where: { !isIncluded($0) }) else { return self }
            return self[(last + 1)...]
        }
    }

    extension String {
        /// This text without what breaks lines or hides, cut after `byteLimit` bytes.
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
