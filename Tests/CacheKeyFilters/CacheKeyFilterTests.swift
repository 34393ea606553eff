import DarkroomCacheKeyFilters
import DarkroomCore
import FoundationEssentials
import Testing

extension CacheKeyFilter {
    /// Returns the result of the filter for `text`.
    func key(_ text: String) -> String? { key(for: URL(string: "http://a/b")!, soFar: text, context: .init()) }
}

struct CacheKeyFilterTests {
    @Test(arguments: [
        ("http://a/b.png?token=1&w=2", "http://a/b.png?w=2"),
        ("http://a/b.png?w=2&token=1#top", "http://a/b.png?w=2#top"),
        ("http://a/b.png?token", "http://a/b.png"), ("http://a/b.png?to%6Ben=1&x=%2f+", "http://a/b.png?x=%2f+"),
        ("http://a/b.png#?token=1", "http://a/b.png#?token=1"), ("http://a/b.png", "http://a/b.png"),
        ("http://a/b.png?a&&b=", "http://a/b.png?a&&b="), ("no url ?token=x&y", "no url ?y"),
        ("http://a/b?x?token=1&token=?#", "http://a/b?x?token=1#"), ("data:,?token=1", "data:,?token=1"),
        ("http://a/b?\u{301}=1&token=2", "http://a/b?\u{301}=1"),
        ("http://a/b?x=1&\u{301}&token", "http://a/b?x=1&\u{301}"),
    ])
    func onlyNamedItemsAreRemoved(text: String, result: String) {
        #expect(RemoveQueryItems(["token"]).key(text) == result)
    }

    @Test(arguments: ["http://a/b?%+f=1", "http://a/b?%f", "http://a/b?%-f=1"])
    func invalidEscapesAreNotDecoded(text: String) {
        #expect(RemoveQueryItems(["\u{F}"]).key(text) == text)
    }

    @Test func wholeQueryIsRemoved() {
        #expect(RemoveQueryItems.all.key("http://a/b.png?a=1&b#c") == "http://a/b.png#c")
        #expect(RemoveQueryItems.all.key("http://a/b.png?") == "http://a/b.png")
    }

    @Test(arguments: [
        ("http://a/b?id=7&w=2&token=1#top", "http://a/b?id=7&w=2#top"),
        ("http://a/b?w=%2B&i%64=1", "http://a/b?w=%2B&i%64=1"),
        ("http://a/b?token=1", "http://a/b"), ("http://a/b?", "http://a/b"), ("http://a/b?&id&", "http://a/b?id"),
        ("http://a/b?ids=1&ID=2", "http://a/b"), ("data:image/svg+xml,<a?b&id>", "data:image/svg+xml,<a?b&id>"),
    ])
    func onlyNamedItemsAreKept(text: String, result: String) {
        #expect(KeepQueryItems(["id", "w"]).key(text) == result)
    }

    @Test(arguments: [
        ("http://a/b?c=1&a=2&b=3#z?b&a", "http://a/b?a=2&b=3&c=1#z?b&a"),
        ("http://a/b?a=2&a=10&a", "http://a/b?a&a=10&a=2"),
        ("http://a/b?ab=1&a=9", "http://a/b?a=9&ab=1"), ("http://a/b?b&&%61=%2B", "http://a/b?&%61=%2B&b"),
        ("http://a/b?a=", "http://a/b?a="), ("DATA:,?b&a", "DATA:,?b&a"),
    ])
    func itemsAreSortedByNameThenValue(text: String, result: String) {
        #expect(SortQuery().key(text) == result)
    }

    @Test func filtersRunInTheOrderOfInstallation() {
        let manager = try! ImageManager {
            $0.install(RemoveQueryItems(["token"]))
            $0.install(ClosureKeyFilter { _, text, _ in text + "!" })
        }
        #expect(manager.key(for: URL(string: "http://a/b?token=1")!)?.source == "http://a/b!")
    }

    @Test func chainIsOneFilter() {
        let chain = ChainedKeyFilter([.lowercaseHost, .removeQueryItems(["b"]), .closure { _, text, _ in text + "!" }])
        #expect(chain.key("HTTP://A/B?b=1") == "http://a/B!")
        #expect(ChainedKeyFilter([]).key("x") == "x")
    }

    @Test func nilEndsAChain() {
        let chain: ChainedKeyFilter = .chain([
            .closure { _, _, _ in nil },
            .closure { _, text, _ in
                Issue.record("The filter was called after nil.")
                return text
            },
        ])
        #expect(chain.key("http://a/b") == nil)
    }

    @Test func everyFilterHasAFactory() throws {
        var context = ImageContext()
        context.keyFilters = [
            .lowercaseHost, .mapHost(["img1": "img"]), .removeSignatures, .removeSignatures(of: [.aws]),
            .removeQueryItems(["token"]), .keepQueryItems(["c", "b"]), .sortQuery,
        ]
        let manager = try ImageManager { _ in }
        let url = try #require(URL(string: "http://IMG1/a?c=1&token=2&b=3&d=4"))
        #expect(manager.key(for: url, context: context)?.source == "http://img/a?b=3&c=1")
        context.keyFilters = [.removeQuery]
        #expect(manager.key(for: url, context: context)?.source == "http://IMG1/a")
    }
}
