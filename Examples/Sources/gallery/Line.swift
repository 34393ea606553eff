import Console

extension String {
    /// Cut, or filled with spaces, to so many columns of a terminal; what would move the cursor or hide is left out.
    func fitted(to columns: Int) -> String {
        var (text, width, markCount) = (String.UnicodeScalarView(), 0, 0)
        for scalar in unicodeScalars where !scalar.isHidden {
            let columnCount = scalar.columnCount
            guard width + columnCount <= columns else { break }
            // Any number of marks can stand over one letter.
            markCount = columnCount == 0 ? markCount + 1 : 0
            guard markCount <= 4 else { continue }
            text.append(scalar)
            width += columnCount
        }
        return String(text) + String(repeating: " ", count: max(0, columns - width))
    }
}

extension Unicode.Scalar {
    fileprivate var isHidden: Bool { isUnprintable || properties.generalCategory == .format }

    /// 0 for marks, and 2 for the letters of East Asia and for pictographs, as terminals show them.
    fileprivate var columnCount: Int {
        switch properties.generalCategory {
        case .nonspacingMark, .enclosingMark: return 0
        default: break
        }
        switch value {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            return 2
        default: return 1
        }
    }
}
