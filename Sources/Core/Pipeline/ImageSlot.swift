/// The image cache of one request: that of its context, or else that of the manager. Nothing here waits.
struct ImageSlot: Sendable {
    /// The cache of decoded images, originals and results.
    let cache: (any ImageCache)?
    /// Whether the request has image caches of its own.
    let isOfContext: Bool

    private let rules: CacheRules
    private let reads: CacheTiers

    init(_ rules: CacheRules) {
        self.rules = rules
        reads = CacheTiers(readBy: rules.request).usable(for: rules.request)
        let own = rules.context.imageCache
        isOfContext = own != nil
        cache = own ?? rules.manager.components.imageCache
    }

    private var request: Request { rules.request }
}

// Lookups.
extension ImageSlot {
    /// Returns the result that may be used without waiting, and the verdict that allows it.
    func hit() -> (result: LoadResult, verdict: CacheDecision)? {
        guard let (image, verdict) = usable() else { return nil }
        let result = LoadResult(
            url: request.url, image: image.scaled(rules.context.scale), key: request.key, origin: .memory,
            isStale: verdict.isStale, report: LoadReport(decision: verdict))
        return (result, verdict)
    }

    /// Returns the image that may be used without waiting, and the verdict that allows it.
    func usable() -> (image: Image, verdict: CacheDecision)? {
        guard let image = image() else { return nil }
        let verdict = rules.verdict(on: image.metadata.original)
        return verdict.allowsUse ? (image, verdict) : nil
    }

    /// Returns the image of the result, however old.
    func image() -> Image? { permitted(storedImage) }

    /// Returns the result in place of `error`, which occurred on revalidation, if that is allowed.
    func stale(after error: ImageError) -> LoadResult? {
        guard let image = image(), rules.allowsStale(image.metadata.original, after: error) else { return nil }
        return LoadResult(
            url: request.url, image: image, key: request.key, origin: .memory, isStale: true,
            report: LoadReport(decision: .staleOnError(error.cause.kind)))
    }

    /// Returns the decoded original of a variant that may be used now, and the verdict that allows it.
    func original() -> (image: Image, verdict: CacheDecision)? {
        guard reads.contains(.decodedOriginals), let image = permitted(storedOriginal) else { return nil }
        let verdict = rules.verdict(on: image.metadata.original)
        // The original in the data cache is revalidated in its place.
        if case .staleWhileRevalidating = verdict { return nil }
        return verdict.allowsUse ? (image, verdict) : nil
    }

    /// Returns the image made from the version just confirmed, and updates its freshness.
    func renewed(by original: Original) -> Image? {
        guard !original.forbidsStore, let version = original.version, let key = request.key, var image = image(),
            image.metadata.original?.revision == version.revision
        else { return nil }
        image.metadata.original = version
        image.metadata.tickets = original.tickets
        cache?.store(image, for: key, with: original.tickets.images)
        return image
    }

    /// Returns all images made from the same source.
    func imagesOfSource() -> [(key: CacheKey, image: Image)] {
        guard reads.contains(.memory), let key = request.key else { return [] }
        return cache?.images(ofSource: key.source).filter { rules.permits($0.1.metadata.original) } ?? []
    }

    /// Looks up the result.
    func peek() -> CacheFinding { finding(storedImage, in: .memory) }

    /// Looks up the decoded original of a variant.
    func peekAtOriginal() -> CacheFinding { finding(storedOriginal, in: .decodedOriginals) }

    /// Returns a ticket for what is made of `source`.
    func ticket(forSource source: String) -> StoreTicket { cache?.ticket(forSource: source) ?? .unchecked }

    /// The image of the result, whether or not it may be used. An animation that is not to be transformed is found as the
    /// result of the same request without transformers.
    private var storedImage: Image? {
        guard reads.contains(.memory), let key = request.key, let cache else { return nil }
        guard let untransformedKey = request.untransformedAnimationKey else { return cache.image(for: key) }
        if let image = cache.image(for: key), image.animation == nil { return image }
        return cache.image(for: untransformedKey).flatMap { $0.animation == nil ? nil : $0 }
    }

    private var storedOriginal: Image? { request.originalKey.flatMap { cache?.image(for: $0) } }

    private func permitted(_ image: Image?) -> Image? {
        image.flatMap { rules.permits($0.metadata.original) ? $0 : nil }
    }

    private func finding(_ image: @autoclosure () -> Image?, in tier: CacheTiers) -> CacheFinding {
        guard reads.contains(tier), cache != nil else { return .notRead }
        return image().map { rules.finding($0.metadata.original) } ?? .miss
    }
}

// Stores.
extension ImageSlot {
    /// Stores `image` as the result, if that is stored in memory.
    func store(_ image: Image, with tickets: StoreTickets) {
        guard let key = request.key, writes.contains(.memory) else { return }
        cache?.store(image, for: key, with: tickets.images)
    }

    /// Stores `image`, an animation that is not to be transformed, as the result of the same request without
    /// transformers.
    func storeUntransformed(_ image: Image, of original: Original) {
        guard !original.forbidsStore, writes.contains(.memory), let key = request.untransformedAnimationKey else {
            return
        }
        cache?.store(image, for: key, with: original.tickets.images)
    }

    /// Stores `decoded`, made from `original`, if it has its full size and decoded originals are stored in memory.
    func storeDecoded(_ decoded: Image, of original: Original) {
        guard writes.contains(.decodedOriginals), decoded.metadata.thumbnail == nil,
            decoded.metadata.sourceSize == nil, let key = request.originalKey
        else { return }
        var image = decoded
        image.metadata.original = original.version
        image.metadata.tickets = original.tickets
        cache?.store(image, for: key, with: original.tickets.images)
    }

    private var writes: CacheTiers { CacheTiers(writtenBy: request).usable(for: request) }
}

extension CacheTiers {
    /// Returns these tiers, without decoded originals unless `request` can share them.
    fileprivate func usable(for request: Request) -> CacheTiers {
        contains(.decodedOriginals) && !request.sharesDecodedOriginals ? subtracting(.decodedOriginals) : self
    }
}

extension Request {
    /// Whether a plain load decodes the original alike, apart from its size. Options other than a thumbnail and transformers
    /// may give it other pixels, which the key of the original does not show.
    var sharesDecodedOriginals: Bool {
        var context = context
        context.thumbnail = nil
        context.transformers = []
        return !context.isVariant
    }
}
