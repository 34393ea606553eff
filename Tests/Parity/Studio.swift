import Darkroom
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport

/// A manager with an origin server, fake caches, and a clock.
struct Studio {
    let origin: FakeOrigin
    let images = FakeImageCache()
    let data = FakeDataCache()
    let clock = ManualClock()
    let manager: ImageManager

    static let url = URL(string: "https://example.com/card.plain")!

    static let card = Bitmap.testCard(12, 8)

    // Computed each time: the leak sanitizer reports a `Data` in a static property.
    static var file: Data { PlainCoder.file(of: card) }

    /// A picture that is fresh for an hour.
    static var fresh: FakeOrigin.Response { .fresh(file, for: .seconds(3600)) }

    /// Creates a manager whose origin server returns `responses` in order, and then repeats the last one.
    init(
        _ responses: [FakeOrigin.Response] = [Studio.fresh],
        _ configure: (inout ImageManager.Components) -> Void = { _ in }
    ) throws {
        let count = Mutex(0)
        try self.init(
            FakeOrigin { _ in
                count.withLock { count in
                    defer { count += 1 }
                    return responses[min(count, responses.count - 1)]
                }
            }, configure)
    }

    /// Creates a manager of `origin`.
    init(_ origin: FakeOrigin, _ configure: (inout ImageManager.Components) -> Void = { _ in }) throws {
        self.origin = origin
        manager = try ImageManager { [images, data, clock] in
            $0.install(origin)
            $0.install(PlainCoder())
            $0.imageCache = images
            $0.dataCache = data
            $0.resultFormat = .plain
            $0.now = { clock.date }
            // The default, a minute, may pass within a test on a busy machine.
            $0.failedURLLifetime = nil
            configure(&$0)
        }
    }

    /// Loads the picture, and waits until it is stored.
    func load(_ configure: (inout ImageContext) -> Void = { _ in }) async throws -> LoadResult {
        let context = ImageContext {
            $0.waitsForStore = true
            configure(&$0)
        }
        return try await manager.load(Self.url, context: context)
    }

    /// Returns the kind of the error of a load; `nil` if it succeeds.
    func failureKind(_ configure: (inout ImageContext) -> Void = { _ in }) async -> ImageError.Kind? {
        do {
            _ = try await load(configure)
            return nil
        } catch {
            return (error as? ImageError)?.kind
        }
    }

    /// The key of the picture with `context`.
    func key(_ configure: (inout ImageContext) -> Void = { _ in }) -> CacheKey? {
        manager.key(for: Self.url, context: ImageContext(configure))
    }
}

/// An image that a test makes, with the pixels of `bitmap`.
func picture(_ bitmap: Bitmap, _ format: ImageFormat = .png) -> Image {
    Image(info: ImageInfo(format: format, storedSize: bitmap.size), bitmap: bitmap)
}
