import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// `SDWebImageManager`, `SDWebImageOptions` and `SDWebImageCombinedOperation`.
@Suite(.bounded)
struct SDWebImageManagerTests {
    @Test func loadedImageIsInMemoryAndItsBytesAreOnDisk() async throws {
        let studio = try Studio()
        let result = try await studio.load()
        #expect(result.origin == .network && result.image.bitmap == Studio.card && result.encodedData == Studio.file)
        let key = try #require(studio.key())
        #expect(studio.images.contains(key))
        #expect(try await studio.data.entry(for: key)?.data == Studio.file)
    }

    @Test func memoryIsAskedFirst() async throws {
        let studio = try Studio()
        _ = try await studio.load()
        let result = try await studio.load()
        #expect(result.origin == .memory && result.encodedData == nil && studio.origin.requests.count == 1)
    }

    @Test func diskHitIsDecodedAndCopiedToMemory() async throws {
        let studio = try Studio()
        _ = try await studio.load()
        studio.images.removeAll()
        let result = try await studio.load()
        #expect(result.origin == .disk && result.encodedData == Studio.file && studio.origin.requests.count == 1)
        #expect(studio.images.contains(try #require(studio.key())))
    }

    @Test func undecodableDataBlocksTheURLUntilItIsRemoved() async throws {
        let studio = try Studio([.init(Data("plain!".utf8) + Data(repeating: 0, count: 9)), Studio.fresh])
        #expect(await studio.failureKind() == .corrupt || studio.origin.requests.count == 1)
        #expect(await studio.failureKind() == .refused && studio.origin.requests.count == 1)
        studio.manager.removeFailed(Studio.url)
        #expect(await studio.failureKind() == nil && studio.origin.requests.count == 2)
    }

    @Test func retryFailedIgnoresTheFailedList() async throws {
        let studio = try Studio([.init(Data("not an image".utf8)), Studio.fresh])
        #expect(await studio.failureKind() == .noCoder)
        #expect(await studio.failureKind { $0.retriesFailed = true } == nil)
        #expect(await studio.failureKind { $0.cacheUse = .loaderOnly } == nil, "success takes it off the list")
    }

    @Test(arguments: [404, 500]) func statusDoesNotBlockTheURL(status: Int) async throws {
        let studio = try Studio([.status(status), Studio.fresh])
        #expect(await studio.failureKind() == .status)
        #expect(await studio.failureKind() == nil)
    }

    @Test func fromCacheOnlyNeverCallsTheLoader() async throws {
        let studio = try Studio()
        #expect(await studio.failureKind { $0.cacheUse = .cacheOnly } == .cacheOnlyMiss)
        #expect(studio.origin.requests.isEmpty)
        _ = try await studio.load()
        #expect(try await studio.load { $0.cacheUse = .cacheOnly }.origin == .memory)
    }

    @Test func fromLoaderOnlySkipsTheCachesAndStoresTheResult() async throws {
        let studio = try Studio()
        _ = try await studio.load()
        studio.images.removeAll()
        #expect(try await studio.load { $0.cacheUse = .loaderOnly }.origin == .network)
        #expect(studio.origin.requests.count == 2)
        #expect(studio.images.contains(try #require(studio.key())))
    }

    @Test func refreshCachedDeliversTheCachedImageFirst() async throws {
        let other = Bitmap.testCard(12, 8, number: 5)
        let studio = try Studio([Studio.fresh, .fresh(PlainCoder.file(of: other), for: .seconds(60), tag: "\"2\"")])
        _ = try await studio.load()
        var delivered: [Bitmap] = []
        let context = ImageContext { $0.cacheUse = .refresh }
        for try await event in studio.manager.events(for: Studio.url, context: context) {
            switch event {
            case .cached(let result), .finished(let result): delivered.append(result.image.bitmap)
            default: break
            }
        }
        #expect(delivered == [Studio.card, other])
    }

    @Test func refreshCachedOfAnUnchangedImageKeepsIt() async throws {
        let studio = try Studio()
        _ = try await studio.load()
        let result = try await studio.load { $0.cacheUse = .refresh }
        #expect(result.image.bitmap == Studio.card && result.origin != .network)
        #expect(studio.origin.requests.last?.headers["if-none-match"] == "\"1\"")
    }

    @Test func transformedImageHasItsOwnKeyAndTheOriginalStaysOnDisk() async throws {
        let studio = try Studio()
        let flip: @Sendable (inout ImageContext) -> Void = { $0.transformers = [.flip(horizontal: true)] }
        let result = try await studio.load(flip)
        #expect(result.key?.variant == ["Flipping(1,0)"] && result.encodedData == nil)
        #expect(
            result.image.metadata.isTransformed
                && result.image.bitmap.color(x: 0, y: 0) == Studio.card.color(x: 11, y: 0))
        #expect(studio.data.keys == [try #require(studio.key()), try #require(result.key)])
        #expect(try await studio.load(flip).origin == .memory)
    }

    @Test func variantIsMadeFromTheOriginalOnDiskWithoutTheNetwork() async throws {
        let studio = try Studio()
        _ = try await studio.load { $0.transformers = [.flip(horizontal: true)] }
        let small = try await studio.load { $0.thumbnail = .fit(6, 6) }
        #expect(small.image.size == PixelSize(6, 4) && studio.origin.requests.count == 1)
        #expect(small.origin == .original, "made from the bytes on disk")
    }

    @Test func transformAnimatedImageIsTheDefaultAndCanBeSwitchedOff() async throws {
        let frames = (0..<2).map { Frame(.testCard(8, 6, number: $0), duration: .milliseconds(100)) }
        let gif = try CoderRegistry.standard.encode(try #require(Image(frames: frames)), as: .gif)
        let studio = try Studio([.fresh(gif, for: .seconds(60))]) { $0.coders = .standard }
        let flipped = try await studio.load { $0.transformers = [.flip(vertical: true)] }.image
        #expect(flipped.metadata.isTransformed && flipped.animation?.frameCount == 2)
        let plain = try await studio.load {
            $0.transformers = [.flip(vertical: true)]
            $0.transformsAnimations = false
            $0.cacheUse = .loaderOnly
        }.image
        #expect(!plain.metadata.isTransformed && plain.animation?.frameCount == 2)
    }

    @Test func waitStoreCacheReturnsAfterBothStores() async throws {
        let studio = try Studio()
        _ = try await studio.manager.load(Studio.url, context: ImageContext { $0.waitsForStore = true })
        #expect(studio.data.keys.count == 1)
    }

    @Test func storeCacheTypeNoneKeepsTheResultOutOfBothCaches() async throws {
        let studio = try Studio()
        _ = try await studio.load { $0.cachePolicy = .none }
        #expect(studio.images.keys.isEmpty && studio.data.keys.isEmpty)
    }

    @Test func cancelledLoadEndsWithCancelled() async throws {
        let gate = Gate()
        let studio = try Studio(
            FakeOrigin { _ in
                try await gate.waitUnlessCancelled()
                return Studio.fresh
            })
        let load = Task { await studio.failureKind() }
        await gate.waitForArrivals()
        #expect(studio.manager.isRunning)
        load.cancel()
        #expect(await load.value == .cancelled)
    }

    @Test func cancelAllCancelsEveryRunningLoad() async throws {
        let gate = Gate()
        let studio = try Studio(
            FakeOrigin { _ in
                try await gate.waitUnlessCancelled()
                return Studio.fresh
            })
        let load = Task { await studio.failureKind() }
        await gate.waitForArrivals()
        studio.manager.cancelAll()
        #expect(await load.value == .cancelled)
    }

    @Test func progressiveLoadDeliversPartialImagesAndThenOneFinalImage() async throws {
        var response = Studio.fresh
        response.chunkByteCount = 100
        let studio = try Studio([response])
        var (previews, results) = ([Image](), [Image]())
        for try await event in studio.manager.events(
            for: Studio.url, context: ImageContext { $0.deliversPreviews = true })
        {
            switch event {
            case .preview(let image): previews.append(image)
            case .finished(let result): results.append(result.image)
            default: break
            }
        }
        #expect(previews.allSatisfy { $0.metadata.isIncomplete && $0.size == Studio.card.size })
        #expect(results.map(\.bitmap) == [Studio.card] && !results[0].metadata.isIncomplete)
    }

    @Test func cacheKeyHasTheThumbnailBeforeTheTransformers() throws {
        let key = try Studio().key {
            $0.transformers = [.flip(horizontal: true)]
            $0.thumbnail = .fit(100, 100)
        }
        #expect(key?.variant == ["Thumbnail({100.000000,100.000000},1)", "Flipping(1,0)"])
    }

    @Test func cachedImageIsFoundInMemoryWithoutWaiting() async throws {
        let studio = try Studio()
        #expect(studio.manager.cachedImage(for: Studio.url) == nil)
        _ = try await studio.load()
        #expect(studio.manager.cachedImage(for: Studio.url)?.bitmap == Studio.card)
    }

    @Test func originalQueryCacheTypeNoneLoadsAgain() async throws {
        let studio = try Studio()
        _ = try await studio.load()
        _ = try await studio.load {
            $0.thumbnail = .fit(6, 6)
            $0.cachePolicy.originalQuery = .none
        }
        #expect(studio.origin.requests.count == 2)
    }

    @Test func scaleOfTheKeyBecomesThatOfTheImage() async throws {
        let studio = try Studio()
        let result = try await studio.manager.load(URL(string: "https://example.com/card@2x.plain")!)
        #expect(result.image.metadata.scale == 2)
    }

    @Test func delegateCanRefuseADownload() async throws {
        let studio = try Studio()
        let kind = await studio.failureKind {
            $0.requestModifier = { _ in throw ImageError(.refused, .load, "no downloads now") }
        }
        #expect(kind == .refused && studio.origin.requests.isEmpty)
    }
}
