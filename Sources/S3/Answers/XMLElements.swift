#if S3
    import DarkroomCore

    /// The text of the elements of an XML document, for the documents of S3 engines.
    ///
    /// It is no general parser: there are no entities but those of characters, and no document types.
    struct XMLElements {
        /// A document that is not well-formed or exceeds a limit.
        struct Malformed: Error {}

        /// The limit on the depth of elements.
        private static let depthLimit = 16

        private var rest: ArraySlice<UInt8>
        private var path: [String] = []
        private var text: [UInt8] = []

        private init(_ bytes: [UInt8]) { rest = bytes[...] }

        /// Calls `body` at the end of each element with the local names from the root to it, and with the text since
        /// the previous tag.
        static func forEach(
            in bytes: [UInt8], _ body: (_ path: [String], _ text: String) throws(Malformed) -> Void
        ) throws(Malformed) {
            var elements = XMLElements(bytes)
            var hasRoot = false
            while !elements.rest.isEmpty {
                try elements.step(body)
                hasRoot = hasRoot || !elements.path.isEmpty
            }
            guard hasRoot, elements.path.isEmpty else { throw Malformed() }
        }

        private mutating func step(
            _ body: (_ path: [String], _ text: String) throws(Malformed) -> Void
        ) throws(Malformed) {
            if rest.first != UInt8(ascii: "<") {
                let characters = take { $0 != UInt8(ascii: "<") }
                try appendText(characters)
            } else if skipPrefix("<?") {
                _ = try take(through: "?>")
            } else if skipPrefix("<!--") {
                _ = try take(through: "-->")
            } else if skipPrefix("<![CDATA[") {
                text += try take(through: "]]>")
            } else if skipPrefix("</") {
                let name = Self.localName(try take(through: ">"))
                guard name == path.last else { throw Malformed() }
                try end(body)
            } else {
                rest.removeFirst()
                let tag = try takeTag()
                guard path.count < Self.depthLimit else { throw Malformed() }
                let name = Self.localName(tag)
                guard !name.isEmpty else { throw Malformed() }
                path.append(name)
                text = []
                if tag.last == UInt8(ascii: "/") { try end(body) }
            }
        }

        private mutating func end(
            _ body: (_ path: [String], _ text: String) throws(Malformed) -> Void
        ) throws(Malformed) {
            try body(path, String(decoding: text, as: UTF8.self))
            path.removeLast()
            text = []
        }

        /// Removes and returns the bytes of a start tag after its `<`, without its `>`. Values may contain a `>`.
        private mutating func takeTag() throws(Malformed) -> ArraySlice<UInt8> {
            var quote: UInt8?
            guard
                let end = rest.firstIndex(where: { byte in
                    if byte == quote {
                        quote = nil
                    } else if quote == nil, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                        quote = byte
                    }
                    return quote == nil && byte == UInt8(ascii: ">")
                }), rest.first != UInt8(ascii: "!")
            else { throw Malformed() }
            defer { rest = rest[(end + 1)...] }
            return rest[..<end]
        }

        private mutating func take(while condition: (UInt8) -> Bool) -> ArraySlice<UInt8> {
            let taken = rest.prefix(while: condition)
            rest = rest[taken.endIndex...]
            return taken
        }

        /// Removes the bytes up to the end of `mark`, and returns them without it.
        private mutating func take(through mark: String) throws(Malformed) -> ArraySlice<UInt8> {
            let mark = Array(mark.utf8)
            var index = rest.startIndex
            while let start = rest[index...].firstIndex(of: mark[0]) {
                guard rest[start...].starts(with: mark) else {
                    index = start + 1
                    continue
                }
                defer { rest = rest[(start + mark.count)...] }
                return rest[..<start]
            }
            throw Malformed()
        }

        private mutating func skipPrefix(_ prefix: String) -> Bool {
            guard rest.starts(with: prefix.utf8) else { return false }
            rest = rest.dropFirst(prefix.utf8.count)
            return true
        }

        private mutating func appendText(_ characters: ArraySlice<UInt8>) throws(Malformed) {
            var characters = characters
            while let index = characters.firstIndex(of: UInt8(ascii: "&")) {
                text += characters[..<index]
                // The longest reference is `&#x10FFFF;`.
                guard let end = characters[index...].prefix(12).firstIndex(of: UInt8(ascii: ";")),
                    let character = Self.character(String(decoding: characters[(index + 1)..<end], as: UTF8.self))
                else { throw Malformed() }
                text += Array(String(character).utf8)
                characters = characters[(end + 1)...]
            }
            text += characters
        }

        private static func character(_ reference: String) -> Unicode.Scalar? {
            switch reference {
            case "amp": return "&"
            case "lt": return "<"
            case "gt": return ">"
            case "quot": return "\""
            case "apos": return "'"
            default: break
            }
            guard reference.utf8.first == UInt8(ascii: "#") else { return nil }
            let digits = reference.utf8.dropFirst()
            let number =
                digits.first == UInt8(ascii: "x")
                ? UInt32(Substring(digits.dropFirst()), radix: 16) : UInt32(Substring(digits))
            return number.flatMap(Unicode.Scalar.init)
        }

        /// Returns the name of a tag without its prefix.
        private static func localName(_ tag: ArraySlice<UInt8>) -> String {
            let name = tag.prefix { !$0.isBlank && ![0x0A, 0x0D, UInt8(ascii: "/")].contains($0) }
            let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name
            return String(decoding: local, as: UTF8.self)
        }
    }
#endif
