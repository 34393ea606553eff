import DarkroomCore
import FoundationEssentials

/// Each time it filters, the key gets longer.
struct AddingEachTime: CacheKeyFilter {
    func key(for url: URL, soFar text: String, context: ImageContext) -> String? { text + "#v2" }
}
