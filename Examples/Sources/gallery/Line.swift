extension String {
    /// Cut, or filled with spaces, to so many columns of a terminal; what would move the cursor is left out.
    func fitted(to columns: Int) -> String {
        var (text, width) = ("", 0)
        for character in self where !character.isControl {
            guard width + character.columnCount <= columns else { break }
            text.append(character)
            width += character.columnCount
        }
        return text + String(repeating: " ", count: max(0, columns - width))
    }
}

extension Character {
    fileprivate var isControl: Bool {
        unicodeScalars.contains {
            $0.properties.generalCategory == .control || $0.properties.generalCategory == .format
        }
    }

    /// 2 for the letters of East Asia and for pictographs, as terminals show them.
    fileprivate var columnCount: Int {
        switch unicodeScalars.first?.value ?? 0 {
        case 0x1100...0x115F, 0x2E80...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE6F, 0xFF00...0xFF60,
            0x1F300...0x1FAFF, 0x20000...0x3FFFD:
            2
        default: 1
        }
    }
}
