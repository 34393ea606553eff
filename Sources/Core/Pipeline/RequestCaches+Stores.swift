import DarkroomPlatform

// Where results, originals and files are stored: in memory at once, and in the data cache and the shared one in the
// background. What is stored there is returned as its store in the shared cache, if there is one.
extension RequestCaches {
    /// Whether nothing is stored but the original as received, which need not be decoded for that.
    var storesOnlyOriginal: Bool { writes == .originals && serializer == nil }

    /// Whether the result is stored in memory.
    var storesInMemory: Bool { writes.contains(.memory) && images.cache != nil }

    /// Whether the result is stored in a data cache.
    var storesOnDisk: Bool { resultSlot?.cache != nil }

    /// Stores `result`, made from `original`. `decoded` is the image before any transformer, and `clock` times encoding.
    func store(_ result: LoadResult, of decoded: Image, _ original: Original, _ clock: WorkClock) -> SharedStore? {
        guard !original.forbidsStore, let key = request.key else { return nil }
        guard !request.leavesUntransformed(result.image) else {
            images.storeUntransformed(result.image, of: original)
            return nil
        }
        images.store(result.image, with: original.tickets)
        images.storeDecoded(decoded, of: original)
        if request.isVariant {
            guard writes.contains(.results) else { return nil }
            return storeEncoded(result.image, at: key, in: results, with: original.tickets.results, clock)
        }
        guard writes.contains(.originals) else { return nil }
        guard let entry = original.entry else {
            // The loader has delivered an image without its bytes.
            guard original.origin == .network else { return nil }
            return storeEncoded(result.image, at: key, in: originals, with: original.tickets.originals, clock)
        }
        guard original.version?.isLocal != true, !original.isCached, let serializer else { return nil }
        return store(serialized(entry, result.image, by: serializer), .init(of: original, entry: nil), at: key)
    }

    /// Stores the bytes of an original that was just loaded, unless a serializer needs the decoded image first.
    func store(_ original: Original) -> SharedStore? {
        guard let entry = original.entry, let key = request.originalKey, writes.contains(.originals),
            !original.forbidsStore, request.isVariant || serializer == nil
        else { return nil }
        let content = PendingStores.Content(of: original, entry: entry)
        guard let serializer else { return store({ _ in entry }, content, at: key) }
        return store(serialized(entry, nil, by: serializer), content, at: key)
    }

    /// Stores `entry`, an encoded result.
    func storeFile(_ entry: DataEntry, at key: CacheKey, with tickets: StoreTickets) -> SharedStore? {
        guard request.storesEncodedResults else { return nil }
        let content = PendingStores.Content(
            byteCount: entry.data.count, entry: entry, version: entry.metadata.original, ticket: tickets.results)
        return store({ _ in entry }, content, at: key, in: results)
    }

    /// Stores `entry`, an original that its origin server has confirmed, in the shared cache.
    func storeConfirmed(_ entry: DataEntry, with tickets: StoreTickets) -> SharedStore? {
        guard writes.contains(.originals), let key = request.originalKey, let shared else { return nil }
        return shared.store(entry.metadata.original, byteCount: entry.data.count, for: key) { [originals] in
            await originals.isCurrent(tickets.originals, forSource: key.source) ? entry : nil
        }
    }

    /// Starts to store `entry`, which the app provides, as the result in a data cache. Returns the task, whose error is
    /// that of the cache.
    func startStore(of entry: DataEntry, with tickets: StoreTickets) -> Task<Void, any Error>? {
        guard let key = request.key else { return nil }
        let ticket = request.isVariant ? tickets.results : tickets.originals
        return resultSlot?.startStore(of: entry, at: key, with: ticket)
    }

    /// The data cache in which the result is stored. The result of a plain load is the original.
    private var resultSlot: DataSlot? {
        guard request.isVariant else { return writes.contains(.originals) ? originals : nil }
        return writes.contains(.results) ? results : nil
    }

    private var serializer: (any CacheSerializer)? { rules.serializer }

    /// Stores `image`, as the serializer encodes it, or else in the format for results.
    private func storeEncoded(
        _ image: Image, at key: CacheKey, in slot: DataSlot, with ticket: StoreTicket, _ clock: WorkClock
    ) -> SharedStore? {
        let encoder = EntryEncoder(rules)
        // A file of the result could not say that its original is truncated.
        guard !image.metadata.isIncomplete, encoder.canEncode(image) else { return nil }
        let content = PendingStores.Content(
            byteCount: image.heldByteCount, version: image.metadata.original, ticket: ticket)
        return store({ try await $0.run { try encoder.entry(of: image, clock: clock) } }, content, at: key, in: slot)
    }

    private typealias Making = @Sendable (WorkExecutor) async throws -> DataEntry?

    /// Returns a function that makes the entry of an original, with the bytes that `serializer` returns for it.
    private func serialized(
        _ entry: DataEntry, _ image: Image?, by serializer: any CacheSerializer
    ) -> Making {
        { [url = request.url] executor in
            try await executor.run {
                let data = try serializer.data(for: image, encoded: entry.data, url: url)
                return DataEntry(data ?? entry.data, metadata: entry.metadata)
            }
        }
    }

    /// Stores the entry that `make` returns. `content` is known in advance. `slot` is the cache of originals if `nil`.
    private func store(
        _ make: @escaping Making, _ content: PendingStores.Content, at key: CacheKey, in slot: DataSlot? = nil
    ) -> SharedStore? {
        let slot = slot ?? originals
        guard slot.cache != nil || shared != nil, let made = slot.store(content, at: key, making: make) else {
            return nil
        }
        return shared?.store(content.version, byteCount: content.byteCount, for: key) {
            guard let entry = await made.value, await slot.isCurrent(content.ticket, forSource: key.source) else {
                return nil
            }
            return entry
        }
    }
}

// Removals.
extension RequestCaches {
    /// Removes the stored original, because it is not an image.
    func removeOriginal() async {
        guard let key = request.originalKey else { return }
        shared?.remove(key)
        for slot in data { await slot.waitForUncheckedStores(of: key.source) }
        await originals.remove(key)
    }

    /// Removes the stored result, because it is not an image.
    func removeResult() async { if let key = request.key { await results.remove(key) } }

    /// Removes the result of a variant, and the file at `encodedKey` made from it, for an image that the app provides.
    /// Nothing that loads have begun to make of the source is stored any more.
    func removeResult(andFileAt encodedKey: CacheKey?) async {
        guard let key = request.key else { return }
        await results.waitForUncheckedStores(of: key.source)
        for key in [encodedKey, key].compactMap(\.self) { await results.remove(key) }
        images.cache?.remove(key)
    }

    /// Removes the original and all results made from it. Throws if a cache cannot.
    func removeAll() async throws {
        guard let source = request.key?.source else { return }
        images.cache?.removeAll(ofSource: source)
        // Once more at the end, for images that a load has read from the data caches meanwhile.
        defer { images.cache?.removeAll(ofSource: source) }
        shared?.removeAll()
        for slot in data { await slot.waitForUncheckedStores(of: source) }
        for slot in data.reversed() { try await slot.cache?.removeAll(ofSource: source) }
    }
}

extension PendingStores.Content {
    /// Creates the content of `original`. `entry` is its entry, if no serializer replaces the bytes first.
    fileprivate init(of original: Original, entry: DataEntry?) {
        self.init(
            byteCount: original.entry?.data.count ?? 0, entry: entry, version: original.entry?.metadata.original,
            ticket: original.tickets.originals)
    }
}
