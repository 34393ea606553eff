import DarkroomCacheKeyFilters
import DarkroomCore
import FoundationEssentials
import Testing

struct CacheKeyFilterTests {
    private let url = URL(string: "http://a/b")!

    @Test(arguments: [
        ("http://a/b.png?token=1&w=2", "http://a/b.png?w=2"),
        ("http://a/b.png?w=2&token=1#top", "http://a/b.png?w=2#top"),
        ("http://a/b.png?token", "http://a/b.png"), ("http://a/b.png?to%6Ben=1&x=%2f+", "http://a/b.png?x=%2f+"),
        ("http://a/b.png#?token=1", "http://a/b.png#?token=1"), ("http://a/b.png", "http://a/b.png"),
        ("http://a/b.png?a&&b=", "http://a/b.png?a&&b="), ("no url ?token=x&y", "no url ?y"),
    ])
    func onlyTheNamedItemsGo(text: String, result: String) {
        #expect(RemoveQueryItems(["token"]).key(for: url, soFar: text, context: .init()) == result)
    }

    @Test func theWholeQueryGoes() {
        let text = "http://a/b.png?a=1&b#c"
        #expect(RemoveQueryItems.all.key(for: url, soFar: text, context: .init()) == "http://a/b.png#c")
    }

    @Test func filtersChainInTheOrderTheyWereInstalled() {
        let manager = try! ImageManager {
            $0.install(RemoveQueryItems(["token"]))
            $0.install(ClosureKeyFilter { _, text, _ in text + "!" })
        }
        #expect(manager.key(for: URL(string: "http://a/b?token=1")!)?.source == "http://a/b!")
    }
}
