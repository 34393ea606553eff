#if HTTP
    import DarkroomCore

    /// The ways to write an IPv4 address that lists of attacks on servers know, and some more.
    struct AddressSpellings {
        private let bytes: [UInt32]
        private let number: UInt64

        /// Creates the spellings of the address with these four bytes.
        init(_ bytes: [UInt32]) {
            self.bytes = bytes
            number = bytes.reduce(0) { $0 << 8 | UInt64($1) }
        }

        /// The plain form.
        var plain: String { bytes.map { "\($0)" }.joined(separator: ".") }

        /// All hosts, those of IPv6 in brackets.
        var hosts: [String] { numbers + ["\(plain).", "\(plain)..", ".\(plain)"] + unicode + escaped + addresses6 }

        /// Numbers with one to four parts, each decimal, octal or hexadecimal, with leading zeros, or too large.
        var numbers: [String] {
            let all = (1...4).flatMap { count -> [String] in
                let last = bytes.dropFirst(count - 1).reduce(0) { $0 << 8 | UInt64($1) }
                let parts = bytes.prefix(count - 1).map { UInt64($0) } + [last]
                return parts.reduce([""]) { heads, part in
                    heads.flatMap { head in Self.radices(part).map { head.isEmpty ? $0 : "\(head).\($0)" } }
                }
            }
            let large = ["\(number + 1 << 32)", bytes.map { "\($0 + 256)" }.joined(separator: ".")]
            let signed = ["+\(number)", "-\(1 << 32 - number)", "\(plain):80:80", "0x\(plain)"]
            return all.filter { $0 != plain } + all.filter { !$0.contains(".") }.map { $0 + "." } + large + signed
        }

        private static func radices(_ part: UInt64) -> [String] {
            let (octal, hexadecimal) = (String(part, radix: 8), String(part, radix: 16))
            return ["\(part)", "0\(octal)", "0x\(hexadecimal)", "0X00\(hexadecimal.uppercased())"]
        }

        /// Digits and dots that some resolvers and browsers take for those of ASCII, and characters that they ignore.
        var unicode: [String] {
            let zeros: [UInt32] = [0xFF10, 0x0660, 0x06F0, 0x0966, 0x1D7CE, 0x1D7F6, 0x1FBF0]
            var spellings = zeros.map { zero in
                text { Unicode.Scalar(zero + UInt32($0.value - 48)) ?? $0 }
            }
            // Circled, in superscript and in subscript.
            spellings.append(text { $0 == "0" ? "\u{24EA}" : Unicode.Scalar(0x2460 + $0.value - 49) ?? $0 })
            spellings.append(text { $0 == "0" ? "\u{2070}" : Unicode.Scalar(0x2070 + $0.value - 48) ?? $0 })
            spellings.append(text { Unicode.Scalar(0x2080 + $0.value - 48) ?? $0 })
            for dot in ["\u{3002}", "\u{FF0E}", "\u{FF61}", "\u{2024}", "\u{FE52}", "\u{B7}", "%2E"] {
                spellings.append(plain.replacing(".", with: dot))
            }
            for ignored in [
                "\u{AD}", "\u{200B}", "\u{200D}", "\u{2060}", "\u{FEFF}", "\u{34F}", "\u{180B}", "\u{E0020}",
            ] {
                spellings += [plain.replacing(".", with: "\(ignored)."), "\(ignored)\(plain)", "\(plain)\(ignored)"]
            }
            return spellings
        }

        private func text(_ digit: (Unicode.Scalar) -> Unicode.Scalar) -> String {
            var view = String.UnicodeScalarView()
            for scalar in plain.unicodeScalars { view.append(scalar == "." ? scalar : digit(scalar)) }
            return String(view)
        }

        /// Escaped characters, and escapes that end the host for some parsers.
        var escaped: [String] {
            let all = plain.utf8.map { "%\(String($0, radix: 16))" }.joined()
            return [
                all, "%\(String(plain.utf8.first ?? 0, radix: 16))\(plain.dropFirst())", "\(plain)%00",
                "\(plain)%00.a.test",
                "\(plain)%20", "%20\(plain)", "\(plain)%0A", "\(plain)%09", "\(plain)%2F", "\(plain)%23", "\(plain)%5C",
                "\(plain)%25lo", "\(plain)%EF%BC%8E",
            ]
        }

        /// The addresses of IPv6 whose packets may end at the address.
        var embedding: [String] {
            let (high, low) = (String(number >> 16, radix: 16), String(number & 0xFFFF, radix: 16))
            let (inverseHigh, inverseLow) = (
                String(~number >> 16 & 0xFFFF, radix: 16), String(~number & 0xFFFF, radix: 16)
            )
            return [
                "::ffff:\(plain)", "::ffff:\(high):\(low)", "::FFFF:\(high.uppercased()):\(low)",
                "0:0:0:0:0:ffff:\(plain)",
                "0000:0000:0000:0000:0000:ffff:\(high):\(low)", "::\(plain)", "::\(high):\(low)", "::ffff:0:\(plain)",
                "64:ff9b::\(plain)", "64:ff9b::\(high):\(low)", "64:ff9b:1::\(plain)",
                "0064:ff9b:0:0:0:0:\(high):\(low)",
                "2002:\(high):\(low)::", "2002:\(high):\(low)::1", "2002:\(high):\(low):1:2:3:4:5",
                "2001:0:\(high):\(low)::", "2001:0:808:808:8000:63bf:\(inverseHigh):\(inverseLow)",
                "2a00::5efe:\(plain)", "2a00::200:5efe:\(high):\(low)", "fe80::5efe:\(plain)",
            ]
        }

        private var addresses6: [String] {
            let zones = ["%25lo", "%lo", "%251", "%25", "%2525lo"]
            return embedding.map { "[\($0)]" }
                + zones.flatMap { zone in
                    ["[::1\(zone)]", "[fe80::1\(zone)]", "[::ffff:\(plain)\(zone)]"]
                } + [
                    "[\(plain)]", "[::ffff:\(plain)", "::ffff:\(plain)]", "[[::ffff:\(plain)]]", "[::ffff:\(plain)].",
                    "[::ffff:\(plain)]a.test", "a.test[::ffff:\(plain)]", "[v1.\(plain)]", "[::ffff:0\(plain)]",
                ]
        }

        /// URLs of which some parsers take another part for the host.
        var urls: [String] {
            [
                "http://a.test@\(plain)/", "http://a.test:80@\(plain)/", "http://a.test%40@\(plain)/",
                "http://a.test#@\(plain)/", "http://a.test?@\(plain)/", "http://a.test/@\(plain)/",
                "http://a.test\\@\(plain)/", "http://\(plain)\\@a.test/", "http://\(plain)#@a.test/",
                "http://\(plain)?@a.test/", "http://\(plain)%23@a.test/", "http://\(plain)%2F@a.test/",
                "http://\(plain) @a.test/", "http://\(plain)\t@a.test/", "http://\(plain)\n/", "http://\t\(plain)/",
                "http:\\\\\(plain)\\", "http:/\\\(plain)/", "http:////\(plain)/", "http:/\(plain)/", "http:\(plain)/",
                "http://a.test:80#@\(plain):80/", "http://\(plain):80@a.test:81/", "http://@\(plain)/",
                "http://:@\(plain)/",
                "http://\(plain):0x50/", "http://\(plain):/", "http://\(plain):+80/", "http://\(plain);a.test/",
                "http://\(plain),a.test/", "http://{\(plain)}/", "http://\"\(plain)\"/", "HTTP://\(plain)/",
                "http://1.1.1.1 &@\(plain)# @3.3.3.3/", "http://\(plain)%EF%BC%8Fa.test/",
                "http://\(plain)\u{FF0F}a.test/",
                "http://a.test\u{FF20}\(plain)/", "http://\(plain)\u{FF03}@a.test/",
            ]
        }
    }
#endif
