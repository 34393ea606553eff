#if Valkey
    import DarkroomTestKit
    import Testing

    @testable import DarkroomValkey

    struct RESPParserTests {
        private static func values(
            of text: String, limits: RESPParser.Limits = .init()
        ) throws(RESPViolation) -> [RESPValue] {
            try values(of: Array(text.utf8), portions: [text.utf8.count], limits: limits)
        }

        /// Parses `bytes`, which arrive in portions of these sizes.
        private static func values(
            of bytes: [UInt8], portions: [Int], limits: RESPParser.Limits = .init()
        ) throws(RESPViolation) -> [RESPValue] {
            var (parser, values, rest) = (RESPParser(limits: limits), [RESPValue](), bytes[...])
            for portion in portions {
                parser.append(rest.prefix(portion))
                rest = rest.dropFirst(portion)
                while let value = try parser.next() { values.append(value) }
            }
            return values
        }

        static let samples: [(text: String, values: [RESPValue])] = [
            ("+OK\r\n", [.bytes(Array("OK".utf8))]), ("+\r\n", [.bytes([])]), ("-ERR no\r\n", [.error("ERR no")]),
            (":42\r\n:-7\r\n:+1\r\n", [.integer(42), .integer(-7), .integer(1)]),
            ("$3\r\na\r\n\r\n", [.bytes(Array("a\r\n".utf8))]), ("$0\r\n\r\n", [.bytes([])]),
            ("$-1\r\n*-1\r\n_\r\n", [.null, .null, .null]), ("#t\r\n#f\r\n", [.boolean(true), .boolean(false)]),
            (",1.5\r\n(123\r\n", [.bytes(Array("1.5".utf8)), .bytes(Array("123".utf8))]),
            ("!5\r\nERR x\r\n", [.error("ERR x")]), ("=6\r\ntxt:ab\r\n", [.bytes(Array("ab".utf8))]),
            ("*0\r\n~0\r\n%0\r\n", [.array([]), .array([]), .map([])]),
            ("*2\r\n*1\r\n:1\r\n:2\r\n", [.array([.array([.integer(1)]), .integer(2)])]),
            ("%1\r\n+a\r\n*1\r\n_\r\n", [.map([.bytes([97]), .array([.null])])]),
            (">2\r\n+a\r\n:1\r\n+b\r\n", [.push([.bytes([97]), .integer(1)]), .bytes([98])]),
            ("|1\r\n+k\r\n:1\r\n:2\r\n", [.integer(2)]), ("|0\r\n:2\r\n", [.integer(2)]),
            ("*2\r\n:1\r\n|1\r\n+k\r\n+v\r\n:2\r\n", [.array([.integer(1), .integer(2)])]),
        ]

        @Test(arguments: samples.indices) func valuesAreParsed(_ index: Int) throws {
            let (text, values) = Self.samples[index]
            #expect(try Self.values(of: text) == values)
        }

        @Test(arguments: samples.indices) func bytesMayArriveOneByOne(_ index: Int) throws {
            let (text, values) = Self.samples[index]
            let ones = Array(repeating: 1, count: text.utf8.count)
            #expect(try Self.values(of: Array(text.utf8), portions: ones) == values)
        }

        @Test(arguments: [
            "\r\n", "x\r\n", ":\r\n", ":1a\r\n", ":99999999999999999999\r\n", "$\r\n", "$-2\r\n", "$1x\r\n",
            "$99999999999999999999999\r\n", "$4194305\r\n", "*-2\r\n", "*16385\r\n", "%8193\r\n", "=-1\r\n", "~-1\r\n",
            "=3\r\nabc\r\n", "=4\r\nabcd\r\n", "$1\r\nabc", "#x\r\n", "#\r\n", "_x\r\n", "*?\r\n", "$?\r\n",
            "GET / HTTP/1.1\r\n",
        ])
        func violationIsFound(_ text: String) {
            #expect(throws: RESPViolation.self) { try Self.values(of: text) }
        }

        @Test func limitsHold() throws {
            let limits = RESPParser.Limits(depth: 3, lineByteCount: 100, elementCount: 10, byteCount: 50)
            #expect(try Self.values(of: "*1\r\n*1\r\n*1\r\n:1\r\n", limits: limits).count == 1)
            let beyond = [
                "*1\r\n*1\r\n*1\r\n*1\r\n", "*11\r\n", "*2\r\n*9\r\n", "$51\r\n",
                "+\(String(repeating: "a", count: 101))",
                "*2\r\n$30\r\n\(String(repeating: "a", count: 30))\r\n$30\r\n",
                "*2\r\n+\(String(repeating: "a", count: 30))\r\n+\(String(repeating: "a", count: 30))\r\n",
            ]
            for text in beyond {
                #expect(throws: RESPViolation.self, "\(text)") { try Self.values(of: text, limits: limits) }
            }
            // The limits are those of one value.
            let many = String(repeating: "*9\r\n\(String(repeating: ":1\r\n", count: 9))", count: 20)
            #expect(try Self.values(of: many, limits: limits).count == 20)
        }

        @Test func deepNestingIsRefusedWithoutRecursion() {
            #expect(throws: RESPViolation.self) {
                try Self.values(of: String(repeating: "*1\r\n", count: 100_000))
            }
        }

        @Test(arguments: 0..<100) func splitsDoNotMatter(_ seed: Int) throws {
            var random = SeededGenerator(seed: seed)
            let values = (0..<20).map { _ in RESPValue.random(depth: 5, &random) }
            let bytes = values.flatMap { $0.encoded(&random) }
            var portions: [Int] = []
            while portions.reduce(0, +) < bytes.count { portions.append(Int.random(in: 0...40, using: &random)) }
            #expect(try Self.values(of: bytes, portions: portions) == values)
        }

        /// Random bytes, and mutated valid ones, end in values or in an error, and what the parser holds is bounded.
        @Test(arguments: 0..<100) func randomBytesAreHarmless(_ seed: Int) {
            var random = SeededGenerator(seed: seed)
            let limits = RESPParser.Limits(depth: 4, lineByteCount: 200, elementCount: 100, byteCount: 1_000)
            for round in 0..<30 {
                var bytes = (0..<5).flatMap { _ in RESPValue.random(depth: 3, &random).encoded(&random) }
                for _ in 0..<Int.random(in: 0...5, using: &random) where !bytes.isEmpty {
                    let alphabet = Array("+-:$*%>|~=!#_,(0123456789\r\n".utf8)
                    bytes[Int.random(in: bytes.indices, using: &random)] =
                        round % 2 == 0
                        ? alphabet[Int.random(in: alphabet.indices, using: &random)]
                        : .random(in: 0...255, using: &random)
                }
                var parser = RESPParser(limits: limits)
                do {
                    while !bytes.isEmpty {
                        let portion = Int.random(in: 1...50, using: &random)
                        parser.append(bytes.prefix(portion))
                        bytes.removeFirst(min(portion, bytes.count))
                        while let value = try parser.next() { #expect(value.count <= limits.elementCount + 1) }
                        #expect(parser.pendingByteCount <= limits.byteCount + limits.lineByteCount)
                    }
                } catch {
                    #expect(!error.message.isEmpty)
                }
            }
        }
    }

    extension RESPValue {
        fileprivate static func random(depth: Int, _ random: inout SeededGenerator) -> RESPValue {
            switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
            case 0, 1:
                .bytes((0..<Int.random(in: 0...30, using: &random)).map { _ in .random(in: 0...255, using: &random) })
            case 2: .error("ERR \(Int.random(in: 0...99, using: &random))")
            case 3: .integer(.random(in: .min ... .max, using: &random))
            case 4: .null
            case 5: .boolean(.random(using: &random))
            case 6: .array(items(depth: depth, &random))
            case 7: .push(items(depth: depth, &random))
            default: RESPValue.map(items(depth: depth, &random)).paired
            }
        }

        private static func items(depth: Int, _ random: inout SeededGenerator) -> [RESPValue] {
            (0..<Int.random(in: 0...4, using: &random)).map { _ in .random(depth: depth - 1, &random) }
        }

        /// The number of values, this one and nested ones.
        fileprivate var count: Int {
            switch self {
            case .array(let items), .push(let items), .map(let items): items.reduce(1) { $0 + $1.count }
            default: 1
            }
        }

        /// This map, without a key that has no value.
        private var paired: RESPValue {
            guard case .map(let items) = self else { return self }
            return .map(Array(items.prefix(items.count / 2 * 2)))
        }

        /// Returns one of the encodings of this value.
        fileprivate func encoded(_ random: inout SeededGenerator) -> [UInt8] {
            switch self {
            case .bytes(let bytes): Array("$\(bytes.count)\r\n".utf8) + bytes + [13, 10]
            case .error(let text) where Bool.random(using: &random): Array("!\(text.utf8.count)\r\n\(text)\r\n".utf8)
            case .error(let text): Array("-\(text)\r\n".utf8)
            case .integer(let number): Array(":\(number)\r\n".utf8)
            case .boolean(let flag): Array("#\(flag ? "t" : "f")\r\n".utf8)
            case .null: Array((["_\r\n", "$-1\r\n", "*-1\r\n"].randomElement(using: &random) ?? "").utf8)
            case .array(let items): Self.encode(Bool.random(using: &random) ? "*" : "~", items, items.count, &random)
            case .push(let items): Self.encode(">", items, items.count, &random)
            case .map(let items): Self.encode("%", items, items.count / 2, &random)
            }
        }

        private static func encode(
            _ type: String, _ items: [RESPValue], _ count: Int, _ random: inout SeededGenerator
        ) -> [UInt8] {
            var bytes = Array("\(type)\(count)\r\n".utf8)
            for item in items { bytes += item.encoded(&random) }
            return bytes
        }
    }
#endif
