import DarkroomCore

extension CacheKey {
    static let a = CacheKey(source: "https://example.com/a.png")
    static let b = CacheKey(source: "https://example.com/b.png")

    /// Distinct keys that file systems, databases or careless text forms may treat as equal.
    static let confusableKeys: [CacheKey] = {
        let long = "https://example.com/" + String(repeating: "long/", count: 400)
        let sources = [
            "https://example.com/e\u{301}.png", "https://example.com/\u{E9}.png", "https://example.com/E\u{301}.png",
            "https://example.com/a.png", "https://example.com/A.png", "https://example.com/a.png ",
            "https://example.com/a.png\u{0}", "https://example.com/a.png/", "https://example.com/a_png",
            "https://example.com/a%2Epng", "https://example.com/a-V.png", long + "1.png", long + "2.png", long, "", ".",
            "..", "../a", "/", "a'b", "a\"b", "a;b", "%", "_", "*", "\u{1F600}",
        ]
        let variants = [["V"], ["v"], ["V", "W"], ["V-W"], ["VW"], [""], [long + "1"], [long + "2"]]
        return sources.map { CacheKey(source: $0) } + variants.map { CacheKey(source: a.source, variant: $0) }
    }()

    /// The two parts for a message, truncated if they are long.
    var shown: String { "\(source.shown.debugDescription)\(variant.map(\.shown))" }
}
