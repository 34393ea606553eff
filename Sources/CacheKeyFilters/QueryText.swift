import DarkroomCore

/// A text taken apart at its query. Put together again it is the same, byte for byte.
///
/// All is found byte by byte: a combining mark after a `?` or `&` would hide it from a search for characters.
struct QueryText {
    private let start, end: Substring

    /// The percent-encoded items between the `&`, empty ones included.
    var items: [Substring]

    /// `nil` when the text has no query. The question marks of a data URL are part of its content.
    init?(_ text: String) {
        let beforeFragment = text.utf8.prefix { $0 != UInt8(ascii: "#") }
        guard let mark = beforeFragment.firstIndex(of: UInt8(ascii: "?")), !text.isDataURL else { return nil }
        start = text[..<mark]
        end = text[beforeFragment.endIndex...]
        items = beforeFragment[mark...].dropFirst()
            .split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map { Substring($0) }
    }

    /// The whole text, without `?` when no item is left.
    var text: String { start + (items.isEmpty ? "" : "?") + items.joined(separator: "&") + end }
}

extension Substring {
    /// What stands before the `=` of this query item, percent-encoded.
    var itemName: Substring { Substring(utf8.prefix { $0 != UInt8(ascii: "=") }) }

    /// The bytes of this query item's name, without escapes. Not a text: what is no UTF-8 would all be one.
    var decodedItemName: [UInt8] { [UInt8](percentDecoding: itemName) }
}
