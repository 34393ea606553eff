import DarkroomCore
import FoundationEssentials

/// It is to make one key of two spellings, and does not.
struct KeepingSpellings: CacheKeyFilter {
    func key(for url: URL, soFar text: String, context: ImageContext) -> String? { text }
}
