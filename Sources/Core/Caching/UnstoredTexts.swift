/// Texts of a value that none of its encoded forms contains. Decoding gives none.
struct UnstoredTexts: Hashable, Sendable, Codable {
    /// The texts.
    var texts: [String] = []

    /// Creates an empty list.
    init() {}

    /// Creates an empty list, and decodes nothing.
    init(from decoder: any Decoder) {}

    /// Encodes nothing.
    func encode(to encoder: any Encoder) {}
}

// The synthesized code of a type with such a property calls these in place of the generic forms, so there is no key, either.

extension KeyedEncodingContainer {
    /// Encodes nothing.
    func encode(_ value: UnstoredTexts, forKey key: Key) {}
}

extension KeyedDecodingContainer {
    /// Returns an empty list.
    func decode(_ type: UnstoredTexts.Type, forKey key: Key) -> UnstoredTexts { UnstoredTexts() }
}
