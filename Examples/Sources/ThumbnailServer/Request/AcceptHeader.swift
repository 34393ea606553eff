/// Which types an `Accept` header takes, and how gladly: RFC 9110, section 12.5.1.
struct AcceptHeader {
    private var qualities: [String: Double] = [:]

    /// The preferences of `text`. An item that cannot be read counts as not there.
    init(_ text: String) {
        for item in text.utf8.split(separator: UInt8(ascii: ",")).prefix(64) {
            let parts = item.split(separator: UInt8(ascii: ";")).map(\.trimmed.lowercased)
            guard let type = parts.first, type.contains(UInt8(ascii: "/")) else { continue }
            let quality = parts.dropFirst().first { $0.starts(with: "q=".utf8) }
                .map { Double(plainDecimal: $0.dropFirst(2)) ?? 0 }
            qualities[String(decoding: type, as: UTF8.self)] = min(quality ?? 1, 1)
        }
    }

    /// How gladly `type` is taken; 0 for not at all. What is most specific counts.
    func quality(of type: String) -> Double {
        let group = Substring(type.utf8.prefix { $0 != UInt8(ascii: "/") }) + "/*"
        return qualities[type] ?? qualities[String(group)] ?? qualities["*/*"] ?? (qualities.isEmpty ? 1 : 0)
    }

    /// Whether `type` itself is named and taken: browsers that cannot show a type take `*/*` all the same.
    func names(_ type: String) -> Bool { qualities[type].map { $0 > 0 } ?? false }
}
