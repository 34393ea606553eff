import DarkroomCore
import Testing

@testable import DarkroomCaches

@Suite struct WeakMemoryTests {
    private let cache = MemoryImageCache(keepsWeakReferences: true)

    @Test func referencedImageIsFoundAndStoredAgain() throws {
        let image = try Image.still(pixelCount: 3)
        cache.store(image, for: "a")
        cache.respond(to: .critical)
        #expect((cache.count, cache.contains("a")) == (0, true))
        #expect(cache.image(for: "a")?.bitmap == image.bitmap)
        #expect((cache.count, cache.totalCost) == (1, 12))
        withExtendedLifetime(image) {}
    }

    @Test func unreferencedImageIsGone() throws {
        cache.store(try .still(), for: "a")
        cache.respond(to: .critical)
        #expect(!cache.contains("a"))
        #expect(cache.image(for: "a") == nil)
        #expect(cache.images(ofSource: "a").isEmpty)
    }

    @Test func referencedBitmapIsEnough() throws {
        let bitmap = try Image.still().bitmap
        do {
            var image = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
            image.metadata.notes = ["kept"]
            cache.store(image, for: "a")
        }
        cache.respond(to: .critical)
        #expect(cache.image(for: "a")?.metadata.notes == ["kept"])
        withExtendedLifetime(bitmap) {}
    }

    @Test func evictedImageIsFound() throws {
        let image = try Image.still()
        cache.countLimit = 1
        cache.store(image, for: "a")
        cache.store(try .still(pixelCount: 2), for: "b")
        #expect(cache.image(for: "a") != nil)
        #expect((cache.count, cache.totalCost) == (1, 4))
        withExtendedLifetime(image) {}
    }

    @Test func oversizedImageIsFoundButNotStored() throws {
        cache.byteLimit = 8
        let image = try Image.still(pixelCount: 3)
        cache.store(image, for: "a")
        #expect(cache.image(for: "a") != nil)
        #expect(cache.image(for: "a") != nil)
        #expect(cache.count == 0)
        withExtendedLifetime(image) {}
    }

    @Test func animationIsFoundWhileItsFramesAndPosterAreReferenced() throws {
        func frames() throws -> [Frame] {
            try (0..<2).map { _ in Frame(try Image.still().bitmap, duration: .seconds(1)) }
        }
        var held = Image(frames: try frames())
        cache.store(try #require(held), for: "a")
        cache.respond(to: .critical)
        #expect(cache.image(for: "a")?.animation?.frameCount == 2)
        #expect(cache.totalCost == 8)
        let bitmap = held?.bitmap
        held = nil
        cache.respond(to: .critical)
        #expect(cache.image(for: "a") == nil)
        withExtendedLifetime(bitmap) {}
    }

    @Test func removedImageIsNotFoundAgain() throws {
        let image = try Image.still()
        let removals: [(MemoryImageCache) -> Void] = [
            { $0.remove("a") }, { $0.removeAll(ofSource: "a") }, { $0.removeAll() },
            {
                $0.keepsWeakReferences = false
                $0.keepsWeakReferences = true
            },
        ]
        for remove in removals {
            cache.store(image, for: "a")
            cache.respond(to: .critical)
            #expect(cache.images(ofSource: "a").count == 1)
            remove(cache)
            #expect(cache.image(for: "a") == nil)
            #expect(cache.images(ofSource: "a").isEmpty)
        }
    }

    @Test func newImageReplacesTheEvictedOne() throws {
        let image = try Image.still()
        cache.store(image, for: "a")
        cache.respond(to: .critical)
        cache.store(try .still(pixelCount: 2), for: "a")
        cache.respond(to: .critical)
        #expect(cache.image(for: "a") == nil)
        withExtendedLifetime(image) {}
    }

    @Test func nothingIsFoundAgainWithoutTheOption() throws {
        let image = try Image.still()
        let cache = MemoryImageCache()
        cache.store(image, for: "a")
        cache.respond(to: .critical)
        #expect(!cache.keepsWeakReferences)
        #expect(cache.image(for: "a") == nil)
        cache.store(image, for: "a")
        cache.keepsWeakReferences = true
        cache.respond(to: .critical)
        #expect(cache.image(for: "a") != nil)
        withExtendedLifetime(image) {}
    }

    @Test func referencesToReleasedImagesDoNotAccumulate() throws {
        let held = try (0..<10).map { _ in try Image.still() }
        for (index, image) in held.enumerated() { cache.store(image, for: CacheKey(source: "\(index)")) }
        for number in 10..<2000 {
            cache.respond(to: .critical)
            cache.store(try .still(), for: CacheKey(source: "\(number)"))
        }
        #expect(cache.weakReferenceCount <= 128)
        #expect((0..<10).allSatisfy { cache.image(for: CacheKey(source: "\($0)")) != nil })
        withExtendedLifetime(held) {}
    }
}
