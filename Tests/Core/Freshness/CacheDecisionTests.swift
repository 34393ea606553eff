import DarkroomCore
import Testing

struct CacheDecisionTests {
    @Test(
        arguments: [
            (.fresh(for: .milliseconds(312900)), "fresh for 312 s"), (.fresh(for: nil), "fresh for ever"),
            (.fresh(for: .seconds(Int64.max)), "fresh for \(Int64.max) s"), (.local, "local and unchanged"),
            (.localChanged, "local and changed"), (.revalidated, "revalidated: 304"),
            (.unchanged, "revalidated: the same bytes"), (.changed, "revalidated: changed"),
            (.staleWhileRevalidating(by: .seconds(5)), "stale for 5 s, revalidating in the background"),
            (.staleOnError(.timedOut), "stale: the origin server failed (timedOut)"),
            (.staleFromCacheOnly, "stale: only the caches may be used"),
            (.expired(by: .seconds(60)), "expired 60 s ago"),
            (.expired(by: nil), "to be revalidated each time"), (.varies, "cached for other request fields"),
            (.missing, "not in a cache"), (.bypassed(.loaderOnly), "bypassed: loader only"),
            (.bypassed(.refresh), "bypassed: refresh"), (.bypassed(.cacheOnly), "bypassed: caches only"),
            (.bypassed(.standard), "bypassed: standard"), (.notStored, "not in a cache: the origin server forbids it"),
        ] as [(CacheDecision, String)])
    func descriptionIsAShortPhrase(decision: CacheDecision, description: String) {
        #expect("\(decision)" == description)
    }
}
