import DarkroomCore

/// A URL text split into its query items. Joining them restores it byte for byte.
///
/// Separators are searched as bytes, because a combining mark after `?` or `&` would form a different character with
/// it.
struct QueryComponents {
    private let start, end: Substring

    /// The percent-encoded items between the `&` separators, including empty ones.
    var items: [Substring]

    /// Splits `text`. Returns `nil` if it has no query. The question marks of a data URL belong to its content.
    init?(_ text: String) {
        let beforeFragment = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let questionMark = beforeFragment.firstIndex(of: UInt8(ascii: "?")), !text.isDataURL else { return nil }
        start = text[..<questionMark]
        end = text[beforeFragment.endIndex...]
        items = beforeFragment[questionMark...].dropFirst()
            .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// The complete text, without `?` if no items are left.
    var text: String { start + (items.isEmpty ? "" : "?") + items.joined(separator: "&") + end }
}

extension Substring {
    /// The percent-encoded name of this query item, before `=`.
    var itemName: Substring { Substring(utf8.prefix { $0 != UInt8(ascii: "=") }) }

    /// The decoded bytes of this query item's name. Not a string, because all invalid UTF-8 would compare as equal.
    var decodedItemName: [UInt8] { [UInt8](percentDecoding: itemName) }
}
