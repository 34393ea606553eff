import DarkroomCore
import Foundation

/// A filter that decodes percent-encoded slashes, as in the name of one file.
struct EscapeDecodingFilter: CacheKeyFilter {
    func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        text.replacingOccurrences(of: "%2F", with: "/")
    }
}
