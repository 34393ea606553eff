import DarkroomCore
import FoundationEssentials

/// It makes an empty key of what has no host.
struct MakingNothing: CacheKeyFilter {
    func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        url.host == nil ? "" : text
    }
}
