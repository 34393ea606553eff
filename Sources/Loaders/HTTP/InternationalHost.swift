#if HTTP
    import DarkroomCore

    /// The conversion of host names as people write them to those that are looked up.
    ///
    /// What it accepts is mapped as by UTS 46, non-transitional; characters that would have to be decomposed, such as
    /// ligatures, are not accepted, nor are joiners, whatever stands next to them. Labels that are in ASCII form already are
    /// passed on without a check.
    enum InternationalHost {
        /// Returns the ASCII form of `host`; `nil` if it is not a valid name.
        static func ascii(_ host: some StringProtocol) -> String? {
            let labels = mapped(host.unicodeScalars).split(separator: ".", omittingEmptySubsequences: false)
            guard BidiRule.permits(labels) else { return nil }
            let isPlain = host.utf8.allSatisfy { $0 < 0x80 }
            let encoded = labels.map { label -> String? in
                guard label.contains(where: { !$0.isASCII }) else {
                    // Full-width delimiters must not end the host, or begin another.
                    guard label.allSatisfy(isPlain ? isUnescaped : isAllowed) else { return nil }
                    return String(decoding: label.map { UInt8($0.value) }, as: UTF8.self)
                }
                guard let scalars = composed(Array(label)), scalars.allSatisfy(isAllowed),
                    scalars.first.map(isMark) == false, let code = Punycode.encode(scalars), code.utf8.count <= 59
                else { return nil }
                return "xn--" + code
            }
            guard !encoded.contains(nil) else { return nil }
            return encoded.compactMap(\.self).joined(separator: ".")
        }

        /// Returns the scalars in lower case and of ordinary width.
        private static func mapped(_ scalars: some Sequence<Unicode.Scalar>) -> [Unicode.Scalar] {
            scalars.flatMap { scalar -> [Unicode.Scalar] in
                switch scalar.value {
                case 0x3002, 0xFF0E, 0xFF61: ["."]
                case 0xFF01...0xFF5E:
                    Unicode.Scalar(scalar.value - 0xFEE0).map { Array($0.properties.lowercaseMapping.unicodeScalars) }
                        ?? []
                // The lower case of Cherokee is mapped to its upper case.
                case 0x13A0...0x13FF, 0xAB70...0xABBF: [scalar]
                default: Array(scalar.properties.lowercaseMapping.unicodeScalars)
                }
            }
        }

        /// Returns the scalars with marks composed with their bases; `nil` if that is possible only in part.
        private static func composed(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar]? {
            var result: [Unicode.Scalar] = []
            var rest = scalars[...]
            while let base = rest.popFirst() {
                let marks = rest.prefix { $0.properties.canonicalCombiningClass != .notReordered }
                rest = rest.dropFirst(marks.count)
                guard !marks.isEmpty else {
                    result.append(base)
                    continue
                }
                if let whole = compositions[text([base] + marks)] {
                    result.append(whole)
                } else {
                    guard !marks.contains(where: { compositions[text([base, $0])] != nil }) else { return nil }
                    result += [base] + marks
                }
            }
            return result
        }

        /// The composed letters, by any canonically equivalent text: that is how strings are compared.
        private static let compositions: [String: Unicode.Scalar] = {
            let blocks: [ClosedRange<UInt32>] = [
                0xC0...0x24F, 0x370...0x6FF, 0x900...0xDFF, 0x1E00...0x1FFF, 0x3040...0x30FF,
            ]
            let scalars = blocks.joined().compactMap(Unicode.Scalar.init)
            return Dictionary(scalars.map { (String($0), $0) }) { first, _ in first }
        }()

        private static func text(_ scalars: [Unicode.Scalar]) -> String {
            var view = String.UnicodeScalarView()
            view.append(contentsOf: scalars)
            return String(view)
        }

        /// Whether a mapped scalar may occur in a name: letters, marks, digits and hyphens that are not decomposed further.
        private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
            if scalar.isASCII { return scalar == "-" || scalar == "_" || UInt8(scalar.value).isASCIIAlphanumeric }
            let (category, properties) = (scalar.properties.generalCategory, scalar.properties)
            // Their mapping in comparisons without regard to case is not one of names.
            let isDeviation = ["\u{DF}", "\u{3C2}"].contains(scalar)
            let isJamo = (0x1100...0x11FF).contains(scalar.value)
            guard isDeviation || !properties.changesWhenNFKCCaseFolded, !isJamo else { return false }
            switch category {
            case .lowercaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark, .decimalNumber:
                return true
            default:
                return (0x13A0...0x13F5).contains(scalar.value)
            }
        }

        /// Whether an ASCII character stands for itself in a host (RFC 3986, section 3.2.2). Browsers refuse most others.
        private static func isUnescaped(_ scalar: Unicode.Scalar) -> Bool {
            isAllowed(scalar) || "~!$&'()*+,;=".unicodeScalars.contains(scalar)
        }

        private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
            [.nonspacingMark, .spacingMark, .enclosingMark].contains(scalar.properties.generalCategory)
        }
    }
#endif
