public import DarkroomPlatform

/// A filter that determines the source of cache keys, such as the URL without the parts that differ in each request.
public protocol CacheKeyFilter: ImagePlugin {
    /// Returns the source for `url`, or `nil` to exclude it from all caches.
    ///
    /// `text` is the result of the filters before this one, initially the absolute string of the URL. The method must
    /// be pure and fast: it is called for every request, before the memory lookup.
    func key(for url: URL, soFar text: String, context: ImageContext) -> String?
}

extension CacheKeyFilter {
    /// Adds the filter after those already installed.
    public func install(in components: inout ImageManager.Components) { components.keyFilters.append(self) }
}
