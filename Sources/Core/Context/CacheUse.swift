/// The use of caches and loaders by a load. In every case a loaded image is stored, unless its ``CachePolicy`` or its
/// origin server forbids that.
public enum CacheUse: Hashable, Sendable {
    /// Use memory, then disk, then the loader.
    case standard

    /// Never call the loader. A miss fails with an error of kind `cacheOnlyMiss`, and nothing is revalidated.
    case cacheOnly

    /// Revalidate even fresh cached images, except those that their origin server or the `freshnessPolicy` declares
    /// immutable.
    case refresh

    /// Do not read the caches; load the image again.
    case loaderOnly
}
