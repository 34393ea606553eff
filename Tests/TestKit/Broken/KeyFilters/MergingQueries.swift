import DarkroomCore
import FoundationEssentials

/// It drops what tells two pictures apart.
struct MergingQueries: CacheKeyFilter {
    func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        String(text.prefix { $0 != "?" }) + (text.hasPrefix("?") ? "?" : "")
    }
}
