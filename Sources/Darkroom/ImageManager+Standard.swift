public import DarkroomPlatform

extension ImageManager {
    /// Creates a manager with everything included: all loaders and coders, a memory cache, and a disk cache in
    /// `cacheDirectory`.
    ///
    /// There is no shared instance: create one, and keep it for as long as the app loads images. `configure` can add
    /// components or replace them.
    ///
    /// - Throws: An `ImageError` if the directory can be neither found nor created.
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

/// All loaders and coders included in Darkroom, its colour conversion and its metric.
public struct StandardPlugins: ImagePlugin {
    /// Creates the plug-ins with their default settings.
    public init() {}

    /// Installs all of them.
    public func install(in components: inout ImageManager.Components) {
        #if HTTP
            components.install(HTTPLoader())
        #endif
        components.install(FileLoader())
        components.install(DataURLLoader())
        let standard = CoderRegistry.standard
        for coder in standard.coders { components.coders.register(coder) }
        components.coders.colorConverter = standard.colorConverter
        components.coders.comparator = standard.comparator
    }
}
