/// Keeps decoded images in memory, and answers at once. Called from any thread; nothing in it waits.
public protocol ImageCache: Sendable {
    /// The image of `key`; `nil` for a miss.
    func image(for key: CacheKey) -> Image?

    /// Keeps `image`, in place of what was there.
    func store(_ image: Image, for key: CacheKey)

    /// Whether there is an image of `key`; that counts as no use of it.
    func contains(_ key: CacheKey) -> Bool

    /// All images made of `source`, which counts as no use of them. For when another size is better than none.
    func images(ofSource source: String) -> [(CacheKey, Image)]

    /// Removes the image of `key`.
    func remove(_ key: CacheKey)

    /// Removes the original and all variants of `source`.
    func removeAll(ofSource source: String)

    /// Removes everything.
    func removeAll()

    /// Gives back memory, as far as the pressure demands.
    func respond(to pressure: MemoryPressure)

    /// Those whose images a `MemoryBudget` is to count.
    var memoryTenants: [any MemoryBudget.Tenant] { get }
}

extension ImageCache {
    /// The default knows of none.
    public func images(ofSource source: String) -> [(CacheKey, Image)] { [] }

    /// Removes everything when memory is critical.
    public func respond(to pressure: MemoryPressure) {
        if pressure == .critical { removeAll() }
    }

    /// The cache itself, if it is a tenant.
    public var memoryTenants: [any MemoryBudget.Tenant] { (self as? any MemoryBudget.Tenant).map { [$0] } ?? [] }
}
