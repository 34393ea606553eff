/// The variant parts of a cache key with their hash. A context computes it once for all its keys.
struct Variant: Sendable {
    /// The variant of an original.
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
