#if HTTP
    import DarkroomCore
    import DarkroomHTTP
    import DarkroomTestKit
    import FoundationEssentials
    import TestSupport

    /// A manager with caches that loads uniformly grey images over HTTP.
    struct Gallery {
        let images = FakeImageCache()
        let data = FakeDataCache()
        let manager: ImageManager

        init(_ loader: HTTPLoader = HTTPLoader()) throws {
            manager = try ImageManager { [images, data] in
                $0.install(loader)
                $0.install(PlainCoder())
                $0.imageCache = images
                $0.dataCache = data
            }
        }

        /// Returns an image file of `grey`.
        static func picture(_ grey: UInt8) -> Data {
            PlainCoder.file(of: Bitmap(2, 2) { _, _ in Color(red: grey, green: grey, blue: grey) })
        }

        /// Returns the grey level of the image at `url`.
        func grey(_ url: URL, _ configure: (inout ImageContext) -> Void = { _ in }) async throws -> UInt8? {
            let context = ImageContext {
                $0.waitsForStore = true
                configure(&$0)
            }
            return try await manager.load(url, context: context).image.bitmap.color(x: 0, y: 0)?.red
        }
    }
#endif
