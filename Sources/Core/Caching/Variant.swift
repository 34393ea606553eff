/// What is made of a source, as the parts of a cache key, with their hash: a context makes it once for all keys.
struct Variant: Sendable {
    /// Nothing is made of it.
    static let none = Variant([])

    let parts: [String]
    let hash: TextHash

    init(_ parts: [String]) {
        self.parts = parts
        var hash = TextHash()
        for part in parts { hash.add(part) }
        self.hash = hash
    }
}
