#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decides which text stands for a picture in caches, such as its URL without the parts that change each time.
public protocol CacheKeyFilter: ImagePlugin {
    /// The text that stands for `url`, or `nil` to use no cache at all for it.
    ///
    /// `text` is what the filters installed before this one made, at first the URL's absolute string.
    /// It is pure and fast: it is called for each request, before memory is asked.
    func key(for url: URL, soFar text: String, context: ImageContext) -> String?
}

extension CacheKeyFilter {
    /// Adds the filter after all others.
    public func install(in components: inout ImageManager.Components) { components.keyFilters.append(self) }
}
