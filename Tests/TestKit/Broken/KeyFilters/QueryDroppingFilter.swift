import DarkroomCore
import FoundationEssentials

/// A filter that drops the query, which distinguishes images.
struct QueryDroppingFilter: CacheKeyFilter {
    func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        String(text.prefix { $0 != "?" }) + (text.hasPrefix("?") ? "?" : "")
    }
}
