public import DarkroomPlatform

/// A serializer of data cache entries, in place of the received bytes and the manager's result format.
///
/// A typical one stores images of a slow format in one that decodes faster.
public protocol CacheSerializer: ImagePlugin {
    /// Returns the data to store for `image`; `nil` for the data that would be stored without a serializer.
    ///
    /// It is called once for each entry: for a plain image with both image and bytes, for a thumbnail or transformed
    /// image with the image only, and for the original of such an image with its bytes only. It may block its thread.
    /// If it throws, nothing is stored.
    func data(for image: Image?, encoded: Data?, url: URL) throws -> Data?
}

extension CacheSerializer {
    /// Sets the serializer of a manager.
    public func install(in components: inout ImageManager.Components) { components.serializer = self }
}
