public import DarkroomCore

/// The requirements on image caches. Each check throws a ``ContractViolation`` that describes the broken rule.
///
/// A cache may evict images at any time. Each check therefore uses only a few small images, for which any useful cache
/// has room, and an image must be present immediately after it was stored.
public struct ImageCacheContract: Sendable {
    private let makeCache: @Sendable () -> any ImageCache

    /// Creates the contract of the caches that `makeCache` returns, each of them empty.
    public init(_ makeCache: @escaping @Sendable () -> any ImageCache) { self.makeCache = makeCache }

    /// Runs all checks.
    public func checkAll() async throws {
        try checkStoring()
        try checkKeys()
        try checkRemoving()
        try checkTickets()
        try checkPressure()
        try await checkConcurrency()
    }

    /// Checks that a stored image is returned for its key only, and that a later store replaces it.
    public func checkStoring() throws {
        let (cache, subject) = makeSubject()
        try subject.require(cache.image(for: .a) == nil && !cache.contains(.a), "a new cache contains an image")
        for number in 1...2 {
            let image = Image.sample(number)
            cache.store(image, for: .a)
            try subject.require(cache.contains(.a), "an image just stored is not contained")
            try subject.require(
                cache.image(for: .a)?.isSame(as: image) == true, "an image just stored differs, or is a miss")
            try subject.require(cache.image(for: .b) == nil && !cache.contains(.b), "it contains a key never stored")
        }
        var image = Image.sample(3)
        image.metadata.extendedData = .init([1, 2, 3])
        cache.store(image, for: .a)
        try subject.require(
            cache.image(for: .a)?.metadata.extendedData == image.metadata.extendedData,
            "it loses the metadata of an image")
    }

    /// Checks that similar keys are distinguished.
    public func checkKeys() throws {
        let keys = CacheKey.confusableKeys
        for (index, key) in keys.enumerated() {
            let (cache, subject) = makeSubject()
            cache.store(.sample(index), for: key)
            for other in keys where other != key {
                try subject.require(
                    cache.image(for: other) == nil && !cache.contains(other),
                    "only \(key.shown) is stored, but it contains \(other.shown)")
            }
            for (found, _) in cache.images(ofSource: key.source) {
                try subject.require(
                    found == key, "only \(key.shown) is stored, but the images of its source include \(found.shown)")
            }
        }
    }

    /// Checks that the removal methods remove the specified images and no others.
    public func checkRemoving() throws {
        let variant = CacheKey(source: CacheKey.a.source, variant: ["V"])
        func filled() -> (any ImageCache, Subject) {
            let (cache, subject) = makeSubject()
            for (index, key) in [CacheKey.a, variant, .b].enumerated() { cache.store(.sample(index), for: key) }
            return (cache, subject)
        }
        func left(_ cache: any ImageCache) -> [Bool] {
            [CacheKey.a, variant, .b].map { cache.contains($0) && cache.image(for: $0) != nil }
        }
        let (one, subject) = filled()
        try subject.require(left(one) == [true, true, true], "it has no room for three small images")
        one.remove(.a)
        try subject.require(left(one) == [false, true, true], "removing a key does not remove exactly that key")
        let (ofSource, _) = filled()
        ofSource.removeAll(ofSource: CacheKey.a.source)
        try subject.require(
            left(ofSource) == [false, false, true], "removing a source does not remove exactly its images")
        let (all, _) = filled()
        all.removeAll()
        try subject.require(left(all) == [false, false, false], "removing all leaves an image")
        all.store(.sample(7), for: .a)
        try subject.require(
            all.image(for: .a)?.isSame(as: .sample(7)) == true, "storing fails after removing all")
    }

    /// Checks that the cache handles every level of memory pressure, and works afterwards.
    public func checkPressure() throws {
        let (cache, subject) = makeSubject()
        for pressure in MemoryPressure.allCases {
            cache.store(.sample(1), for: .a)
            cache.respond(to: pressure)
            if let image = cache.image(for: .a) {
                try subject.require(image.isSame(as: .sample(1)), "memory pressure changes an image")
            }
        }
        cache.store(.sample(2), for: .a)
        try subject.require(
            cache.image(for: .a)?.isSame(as: .sample(2)) == true, "storing fails after memory pressure")
    }

    /// Checks that concurrent readers see only intact images of the requested key.
    public func checkConcurrency() async throws {
        let (cache, subject) = makeSubject()
        let keys = (0..<4).map { CacheKey(source: "\($0)") }
        try await withThrowingTaskGroup { group in
            for task in 0..<4 {
                group.addTask { @concurrent in
                    for round in 0..<50 {
                        let index = (task + round) % keys.count
                        switch round % 5 {
                        case 0: cache.store(.sample(index), for: keys[index])
                        case 1 where round % 10 == 1: cache.remove(keys[index])
                        default:
                            guard let image = cache.image(for: keys[index]) else { continue }
                            try subject.require(
                                image.isSame(as: .sample(index)),
                                "under concurrent use it returns the image of another key")
                        }
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    func makeSubject() -> (any ImageCache, Subject) {
        let cache = makeCache()
        return (cache, Subject(cache))
    }
}

extension Image {
    /// Returns a small still image, different for each number.
    static func sample(_ number: Int) -> Image {
        let bitmap = Bitmap.testCard(3 + number % 3, 2, number: number)
        return Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
    }

    fileprivate func isSame(as other: Image) -> Bool { info == other.info && bitmap == other.bitmap }
}
