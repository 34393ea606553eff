import Darkroom

/// Which types an `Accept` header takes, and how gladly: RFC 9110, section 12.5.1.
struct AcceptHeader {
    private var qualities: [String: Double] = [:]

    /// What `text` says. An item that cannot be read counts as not there.
    init(_ text: String) {
        for item in text.split(separator: ",").prefix(64) {
            let parts = item.split(separator: ";").map { $0.trimmed.lowercased() }
            guard let type = parts.first, type.contains("/") else { continue }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 }
            qualities[type] = min(max(quality ?? 1, 0), 1)
        }
    }

    /// How gladly `type` is taken; 0 for not at all. What is most specific counts.
    func quality(of type: String) -> Double {
        let group = type.prefix { $0 != "/" } + "/*"
        return qualities[type] ?? qualities[String(group)] ?? qualities["*/*"] ?? (qualities.isEmpty ? 1 : 0)
    }

    /// Whether `type` itself is named and taken: browsers that cannot show a type take `*/*` all the same.
    func names(_ type: String) -> Bool { qualities[type].map { $0 > 0 } ?? false }
}

extension Substring {
    /// Without spaces and tabs at both ends.
    var trimmed: Substring {
        var text = drop { $0 == " " || $0 == "\t" }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
