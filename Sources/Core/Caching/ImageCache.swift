/// A memory cache of decoded images. All members may be called on any thread and must not block.
public protocol ImageCache: Sendable {
    /// Returns the image of `key`; `nil` for a miss.
    func image(for key: CacheKey) -> Image?

    /// Stores `image`, in place of any existing one.
    func store(_ image: Image, for key: CacheKey)

    /// Returns whether there is an image of `key`, which does not count as a use.
    func contains(_ key: CacheKey) -> Bool

    /// Returns all images made from `source`, which does not count as a use. They serve as substitutes for another
    /// size.
    func images(ofSource source: String) -> [(CacheKey, Image)]

    /// Removes the image of `key`.
    func remove(_ key: CacheKey)

    /// Removes the original and all variants of `source`.
    func removeAll(ofSource source: String)

    /// Removes everything.
    func removeAll()

    /// Releases memory as `pressure` requires.
    func respond(to pressure: MemoryPressure)

    /// The tenants whose images a ``MemoryBudget`` counts.
    var memoryTenants: [any MemoryBudget.Tenant] { get }
}

extension ImageCache {
    /// Returns no images.
    public func images(ofSource source: String) -> [(CacheKey, Image)] { [] }

    /// Removes all images if memory pressure is critical.
    public func respond(to pressure: MemoryPressure) {
        if pressure == .critical { removeAll() }
    }

    /// The cache itself, if it is a tenant.
    public var memoryTenants: [any MemoryBudget.Tenant] { (self as? any MemoryBudget.Tenant).map { [$0] } ?? [] }
}
