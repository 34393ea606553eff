import Console

extension String {
    /// Returns the text truncated or padded with spaces to `columns` terminal columns, without characters that are
    /// invisible or move the cursor.
    func fitted(to columns: Int) -> String {
        var (text, width, markCount) = (String.UnicodeScalarView(), 0, 0)
        for scalar in unicodeScalars where !scalar.isHidden {
            let columnCount = scalar.columnCount
            guard width + columnCount <= columns else { break }
            // The number of combining marks on one letter is unlimited in Unicode.
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

    /// The width in columns: 0 for combining marks, 2 for East Asian letters and pictographs.
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
