import DarkroomCore
import Foundation

/// A filter that decodes percent-encoding in the URLs of one site.
struct SiteDecodingFilter: CacheKeyFilter {
    func key(for url: URL, soFar text: String, context: ImageContext) -> String? {
        url.host() == "site.test" ? text.removingPercentEncoding ?? text : text
    }
}
