/// A memory cache of decoded images. All members may be called on any thread and must not block.
public protocol ImageCache: Sendable {
    /// Returns the image of `key`; `nil` for a miss.
    func image(for key: CacheKey) -> Image?

    /// Stores `image`, in place of any existing one.
    func store(_ image: Image, for key: CacheKey)

    /// Returns a ticket of the current generation of `source`, for a load that is about to read a cache.
    ///
    /// ``SourceGenerations`` implements generations. The default returns ``StoreTicket/unchecked``.
    func ticket(forSource source: String) -> StoreTicket

    /// Stores `image` unless the source of `key` was replaced or removed since `ticket` was taken, which is checked
    /// under the lock that stores. The default does not check it.
    func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket)

    /// Starts the generation of `response`, and removes the images that it replaces (``SourceResponse/replaces(_:)``) with
    /// another revision under the same lock. Returns the ticket of the generation, or `nil` if there is a newer one.
    ///
    /// `ticket` was taken by the load before it looked for the original. While it is current, the response is the newest
    /// one; after a removal, the response is not stored. It is `nil` if there was no such load, or only the moment counts.
    /// Then, and if the response replaces an original (``SourceResponse/isReplacement``), the default removes all images of
    /// the source.
    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket?

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
    /// Returns a ticket that is not checked.
    public func ticket(forSource source: String) -> StoreTicket { .unchecked }

    /// Stores the image without checking the ticket.
    public func store(_ image: Image, for key: CacheKey, with ticket: StoreTicket) { store(image, for: key) }

    /// Removes the images of `source`, if they are replaced.
    public func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) -> StoreTicket? {
        if ticket == nil || response.isReplacement { removeAll(ofSource: response.source) }
        return .unchecked
    }

    /// Returns no images.
    public func images(ofSource source: String) -> [(CacheKey, Image)] { [] }

    /// Removes all images if memory pressure is critical.
    public func respond(to pressure: MemoryPressure) {
        if pressure == .critical { removeAll() }
    }

    /// The cache itself, if it is a tenant.
    public var memoryTenants: [any MemoryBudget.Tenant] { (self as? any MemoryBudget.Tenant).map { [$0] } ?? [] }
}
