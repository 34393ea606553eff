#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

extension ImageManager {
    /// A manager of everything in the box: all loaders and coders, memory, and a disk cache in `cacheDirectory`.
    ///
    /// There is no shared one: make it once, and keep it for as long as the app loads pictures. `configure` may add to the
    /// parts or replace them. It throws an `ImageError` when the directory can be neither found nor made.
    public static func standard(
        cacheDirectory: URL = DiskDataCache.defaultDirectory(),
        _ configure: (inout Components) throws -> Void = { _ in }
    ) throws -> ImageManager {
        try ImageManager {
            $0.install(StandardPlugins())
            $0.imageCache = MemoryImageCache()
            $0.dataCache = try DiskDataCache(directory: cacheDirectory)
            try configure(&$0)
        }
    }
}

/// All loaders and coders that Darkroom brings, and its colour conversion, in one.
public struct StandardPlugins: ImagePlugin {
    /// All of them with their defaults.
    public init() {}

    /// Installs them.
    public func install(in components: inout ImageManager.Components) {
        #if HTTP
            components.install(HTTPLoader())
        #endif
        components.install(FileLoader())
        components.install(DataURLLoader())
        components.install(GIFCoder())
        components.install(WebPCoder())
        components.install(JPEGCoder())
        components.install(PNGCoder())
        components.install(LittleCMSConverter())
    }
}
