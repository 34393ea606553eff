#if Valkey
    /// Parses values incrementally, however their bytes are divided, with bounded memory.
    struct RESPParser {
        /// The limits on a value, including nested ones.
        struct Limits: Sendable {
            var depth = 8
            /// The maximum length of a line, which is all that most values consist of.
            var lineByteCount = 64 << 10
            /// The maximum number of elements.
            var elementCount = 16_384
            /// The maximum total size of strings, in bytes.
            var byteCount = 4 << 20
        }

        private let limits: Limits
        private var bytes: [UInt8] = []
        /// The index of the first unparsed byte.
        private var start = 0
        /// The index before which there is no line end.
        private var scanned = 0
        private var frames: [RESPFrame] = []
        private var elementCount = 0
        private var byteCount = 0

        /// Creates a parser without input.
        init(limits: Limits = Limits()) { self.limits = limits }

        /// The number of unparsed bytes in memory.
        var pendingByteCount: Int { bytes.count - start }

        /// Appends received bytes.
        mutating func append(_ received: some Collection<UInt8>) {
            if start == bytes.count {
                bytes.removeAll(keepingCapacity: bytes.capacity <= limits.lineByteCount)
            } else if start > limits.lineByteCount {
                bytes.removeFirst(start)
            } else {
                bytes += received
                return
            }
            scanned -= start
            start = 0
            bytes += received
        }

        /// Returns the next value; `nil` if it is still incomplete.
        mutating func next() throws(RESPViolation) -> RESPValue? {
            while let token = try nextToken() {
                guard let value = try complete(token) else { continue }
                (elementCount, byteCount) = (0, 0)
                return value
            }
            return nil
        }

        /// Returns the outermost value if `token` completes it.
        private mutating func complete(_ token: Token) throws(RESPViolation) -> RESPValue? {
            var value: RESPValue
            switch token {
            case .value(let scalar): value = scalar
            case .aggregate(let kind, let count):
                let frame = try frame(kind, count: count)
                guard count == 0 else {
                    frames.append(frame)
                    return nil
                }
                guard let empty = frame.value else { return nil }
                value = empty
            }
            while var frame = frames.popLast() {
                frame.items.append(value)
                guard frame.items.count == frame.count else {
                    frames.append(frame)
                    return nil
                }
                guard let whole = frame.value else { return nil }
                value = whole
            }
            return value
        }

        private mutating func frame(_ kind: RESPFrame.Kind, count: Int) throws(RESPViolation) -> RESPFrame {
            guard frames.count < limits.depth else { throw RESPViolation("values are nested too deeply") }
            guard count <= limits.elementCount - elementCount else {
                throw RESPViolation("there are too many elements")
            }
            elementCount += count
            return RESPFrame(kind: kind, count: count)
        }

        private enum Token {
            case value(RESPValue)
            case aggregate(RESPFrame.Kind, count: Int)
        }

        /// Consumes and returns a scalar or the head of an aggregate; `nil` if it is incomplete.
        private mutating func nextToken() throws(RESPViolation) -> Token? {
            guard let end = try lineEnd() else { return nil }
            guard start < end else { throw RESPViolation("a value has no type") }
            let (type, line) = (bytes[start], bytes[(start + 1)..<end])
            switch type {
            case UInt8(ascii: "$"), UInt8(ascii: "="), UInt8(ascii: "!"):
                return try string(type, length: line, at: end + 2).map { .value($0) }
            case UInt8(ascii: "*"), UInt8(ascii: "~"), UInt8(ascii: "%"), UInt8(ascii: ">"), UInt8(ascii: "|"):
                let token = try Self.aggregate(type, count: line, limit: limits.elementCount)
                consume(to: end + 2)
                return token
            default:
                try count(line.count)
                let value = try Self.scalar(type, line)
                consume(to: end + 2)
                return .value(value)
            }
        }

        /// Returns the index of the line end after `start`; `nil` if it has not arrived.
        private mutating func lineEnd() throws(RESPViolation) -> Int? {
            var index = max(start, scanned)
            while index + 1 < bytes.count {
                if bytes[index] == 13, bytes[index + 1] == 10 { return index }
                index += 1
                guard index - start <= limits.lineByteCount else { throw RESPViolation("a line is too long") }
            }
            scanned = index
            return nil
        }

        /// Consumes and returns a string whose bytes begin at `index`; `nil` if it is incomplete.
        private mutating func string(
            _ type: UInt8, length line: ArraySlice<UInt8>, at index: Int
        ) throws(RESPViolation) -> RESPValue? {
            guard let length = try Self.count(line, limit: limits.byteCount - byteCount) else {
                guard type == UInt8(ascii: "$") else { throw RESPViolation("a length is negative") }
                consume(to: index)
                return .null
            }
            let end = index + length
            guard end + 2 <= bytes.count else { return nil }
            guard bytes[end] == 13, bytes[end + 1] == 10 else {
                throw RESPViolation("a string is longer than its length")
            }
            try count(length)
            let content = bytes[index..<end]
            defer { consume(to: end + 2) }
            switch type {
            case UInt8(ascii: "!"): return .error(String(decoding: content, as: UTF8.self))
            case UInt8(ascii: "="):
                guard length >= 4, content[index + 3] == UInt8(ascii: ":") else {
                    throw RESPViolation("a verbatim string has no format")
                }
                return .bytes(Array(content.dropFirst(4)))
            default: return .bytes(Array(content))
            }
        }

        private mutating func count(_ length: Int) throws(RESPViolation) {
            byteCount += length
            guard byteCount <= limits.byteCount else { throw RESPViolation("a value is too large") }
        }

        private mutating func consume(to index: Int) {
            start = index
            scanned = index
        }

        private static func aggregate(
            _ type: UInt8, count line: ArraySlice<UInt8>, limit: Int
        ) throws(RESPViolation) -> Token {
            guard let count = try count(line, limit: limit) else {
                guard type == UInt8(ascii: "*") else { throw RESPViolation("a number of elements is negative") }
                return .value(.null)
            }
            return switch type {
            case UInt8(ascii: "%"): .aggregate(.map, count: count * 2)
            case UInt8(ascii: "|"): .aggregate(.attribute, count: count * 2)
            case UInt8(ascii: ">"): .aggregate(.push, count: count)
            default: .aggregate(.array, count: count)
            }
        }

        private static func scalar(_ type: UInt8, _ line: ArraySlice<UInt8>) throws(RESPViolation) -> RESPValue {
            switch (type, line.first) {
            case (UInt8(ascii: "+"), _), (UInt8(ascii: ","), _), (UInt8(ascii: "("), _): return .bytes(Array(line))
            case (UInt8(ascii: "-"), _): return .error(String(decoding: line, as: UTF8.self))
            case (UInt8(ascii: ":"), _):
                guard let number = Int64(String(decoding: line, as: UTF8.self)) else {
                    throw RESPViolation("an integer is invalid")
                }
                return .integer(number)
            case (UInt8(ascii: "_"), nil): return .null
            case (UInt8(ascii: "#"), UInt8(ascii: "t")) where line.count == 1: return .boolean(true)
            case (UInt8(ascii: "#"), UInt8(ascii: "f")) where line.count == 1: return .boolean(false)
            default: throw RESPViolation("a value has an unknown type")
            }
        }

        /// Returns the number in `line`, at most `limit`; `nil` for -1.
        private static func count(_ line: ArraySlice<UInt8>, limit: Int) throws(RESPViolation) -> Int? {
            if line.elementsEqual([UInt8(ascii: "-"), UInt8(ascii: "1")]) { return nil }
            guard !line.isEmpty else { throw RESPViolation("a length is missing") }
            var count = 0
            for byte in line {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else {
                    throw RESPViolation("a length is not a number")
                }
                count = count * 10 + Int(byte - UInt8(ascii: "0"))
                guard count <= limit else { throw RESPViolation("a length is over the limit") }
            }
            return count
        }
    }

    /// An aggregate whose elements are still arriving.
    private struct RESPFrame {
        enum Kind {
            case array, map, push
            /// An attribute of the value that follows, which is ignored.
            case attribute
        }

        let kind: Kind
        let count: Int
        var items: [RESPValue] = []

        /// The value of the elements; `nil` for an attribute.
        var value: RESPValue? {
            switch kind {
            case .array: .array(items)
            case .map: .map(items)
            case .push: .push(items)
            case .attribute: nil
            }
        }
    }
#endif
