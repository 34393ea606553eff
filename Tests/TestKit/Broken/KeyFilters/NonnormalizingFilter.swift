import DarkroomCore
import FoundationEssentials

/// A filter that keeps equivalent URLs apart that should have one key.
struct NonnormalizingFilter: CacheKeyFilter {
    func key(for url: URL, soFar text: String, context: ImageContext) -> String? { text }
}
