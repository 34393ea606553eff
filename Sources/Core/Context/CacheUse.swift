/// Which of caches and loaders a load asks. Whatever is loaded is kept, in all cases.
public enum CacheUse: Hashable, Sendable {
    /// Memory, then disk, then the loader.
    case standard

    /// Never the loader. A miss is an error of kind `cacheOnlyMiss`; nothing is revalidated.
    case cacheOnly

    /// The origin is asked whether the picture has changed, even where the caches hold a fresh one, save one that it, or
    /// `freshnessPolicy`, calls immutable.
    case refresh

    /// The caches are not asked, and the picture comes from the loader again.
    case loaderOnly
}
