import DarkroomCore
import FoundationEssentials

/// A filter that returns an empty key for URLs without a host.
struct EmptyKeyFilter: CacheKeyFilter {
    func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        url.host == nil ? "" : text
    }
}
