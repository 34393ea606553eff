import DarkroomCore
import FoundationEssentials

/// A filter that appends to the key on every application.
struct NonidempotentFilter: CacheKeyFilter {
    func key(for url: URL, soFar text: String, context: ImageContext) -> String? { text + "#v2" }
}
