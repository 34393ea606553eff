#if HTTP
    import DarkroomCore

    /// The rule for host names with letters that are written from right to left (RFC 5893, section 2).
    enum BidiRule {
        /// The classes of direction that scalars of names can have. `other` contains hyphens and low lines.
        private enum Direction { case left, right, arabicNumber, europeanNumber, mark, other }

        /// The blocks of the scripts that are written from right to left.
        private static let rightBlocks: [ClosedRange<UInt32>] = [
            0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x1_0800...0x1_0FFF, 0x1_E800...0x1_EFFF,
        ]

        /// Returns whether `labels` may be those of one name. Those in ASCII form are not decoded.
        static func permits(_ labels: some Sequence<some Sequence<Unicode.Scalar>>) -> Bool {
            let labels = labels.map { $0.map(direction(of:)) }
            guard labels.contains(where: { $0.contains { [.right, .arabicNumber].contains($0) } }) else { return true }
            return labels.allSatisfy(isValid)
        }

        private static func isValid(_ label: [Direction]) -> Bool {
            // The last label is empty if the name ends with a dot.
            guard let first = label.first, let last = label.last(where: { $0 != .mark }) else { return label.isEmpty }
            let present = Set(label)
            switch first {
            case .left:
                return present.isDisjoint(with: [.right, .arabicNumber]) && [.left, .europeanNumber].contains(last)
            case .right:
                return !present.contains(.left) && [.right, .arabicNumber, .europeanNumber].contains(last)
                    && !present.isSuperset(of: [.arabicNumber, .europeanNumber])
            default: return false
            }
        }

        private static func direction(of scalar: Unicode.Scalar) -> Direction {
            if scalar.isASCII {
                let byte = UInt8(scalar.value)
                guard byte.isASCIIAlphanumeric else { return .other }
                return byte < UInt8(ascii: "A") ? .europeanNumber : .left
            }
            switch scalar.value {
            case 0x660...0x669, 0x1_0D30...0x1_0D39: return .arabicNumber
            case 0x6F0...0x6F9: return .europeanNumber
            default: break
            }
            if [.nonspacingMark, .enclosingMark].contains(scalar.properties.generalCategory) { return .mark }
            return rightBlocks.contains { $0.contains(scalar.value) } ? .right : .left
        }
    }
#endif
