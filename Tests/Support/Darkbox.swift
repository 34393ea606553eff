public import DarkroomCore
public import DarkroomTestKit
public import FoundationEssentials

/// A manager with fake parts.
public struct Darkbox: Sendable {
    /// The cache of images.
    public let images = FakeImageCache()

    /// The cache of data.
    public let data = FakeDataCache()

    /// The loader, which accepts all URLs.
    public let loader: FakeLoader

    /// The manager of these parts.
    public let manager: ImageManager

    /// The URL that tests load.
    public static let url = URL(string: "http://example.com/a.plain")!

    /// The image that is loaded by default.
    public static let bitmap = Bitmap(12, 8) { x, y in Color(red: UInt8(x * 20), green: UInt8(y * 30), blue: 99) }

    /// The file of ``bitmap``.
    public static var file: Data {
        // Computed each time: the leak sanitizer reports a `Data` in a static property.
        PlainCoder.file(of: bitmap)
    }

    /// Creates a manager of `loader` and fake caches, changed by `configure`.
    public init(
        _ loader: FakeLoader = FakeLoader(Darkbox.file), _ configure: (inout ImageManager.Components) -> Void = { _ in }
    ) {
        self.loader = loader
        manager = try! ImageManager { [images, data] in
            $0.install(loader)
            $0.install(PlainCoder())
            $0.imageCache = images
            $0.dataCache = data
            $0.resultFormat = .plain
            // The default, a minute, may pass within a test on a busy machine.
            $0.failedURLLifetime = nil
            configure(&$0)
        }
    }

    /// Returns a manager with the same disk cache, as after a restart.
    public func restarted(_ loader: FakeLoader? = nil, _ configure: (inout ImageManager.Components) -> Void = { _ in })
        -> ImageManager
    {
        try! ImageManager {
            $0.install(loader ?? self.loader)
            $0.install(PlainCoder())
            $0.dataCache = data
            $0.resultFormat = .plain
            configure(&$0)
        }
    }
}
