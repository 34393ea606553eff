import DarkroomCacheKeyFilters
import DarkroomCore
import DarkroomTestKit
import TestSupport
import Testing

/// Properties of every filter, whatever the text.
struct HostileTextTests {
    private static let filters: [any CacheKeyFilter] = [
        .removeQueryItems(["token", "", "é"]), .removeQuery, .keepQueryItems(["id", "sig"]), .removeSignatures,
        .sortQuery,
        .lowercaseHost, .mapHost(["a": "B", "[::1]": "c", "": "d"]),
        .chain([.sortQuery, .removeSignatures, .lowercaseHost]),
    ]

    private static let pieces = [
        "http", "HTTP", "file", "data:", "DATA:", ":", "//", "/", "?", "#", "&", "=", "@", "[", "]", "[::1]",
        "[FE80::1%25Eth0]",
        ":80", "a", "A", "id", "token", "sig=1", "sv=2", "Expires=3", "Signature=4", "Key-Pair-Id=5", "%", "%2B", "%2b",
        "%zz",
        "%6", "+", "é", "e\u{301}", "\u{301}", "\u{FE0F}", "\u{0}", "\r\n", "\n", " ", "\\", ";", "%00", "🖼",
    ]

    /// Random but reproducible combinations of the pieces.
    private static let texts: [String] = {
        var random = SeededGenerator(seed: 5)
        return (0..<1000).map { number in
            let start = number.isMultiple(of: 2) ? "http://" : ""
            let words = (0..<Int.random(in: 0...14, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }
            return start + words.joined()
        }
    }()

    @Test(arguments: filters.indices)
    func filteringIsIdempotent(index: Int) throws {
        for text in Self.texts {
            let once = try #require(Self.filters[index].key(text))
            #expect(Self.filters[index].key(once)?.utf8.elementsEqual(once.utf8) == true, "\(text.debugDescription)")
        }
    }

    @Test func queryFiltersChangeNothingElse() throws {
        let filters: [any CacheKeyFilter] = Array(Self.filters[..<5])
        for text in Self.texts {
            let parts = Parts(text)
            for filter in filters {
                let filtered = Parts(try #require(filter.key(text)))
                #expect(filtered.start == parts.start && filtered.end == parts.end, "\(text.debugDescription)")
                let isSubset = Set(filtered.items).isSubset(of: parts.items)
                #expect(isSubset && filtered.items.count <= parts.items.count, "\(text.debugDescription)")
            }
        }
    }

    @Test func sortingPreservesEveryItem() throws {
        for text in Self.texts {
            let sorted = Parts(try #require(SortQuery().key(text))).items
            #expect(sorted.sorted() == Parts(text).items.sorted(), "\(text.debugDescription)")
        }
    }

    @Test func lowercasingChangesNothingElse() throws {
        for text in Self.texts {
            let small = try #require(LowercaseHost().key(text))
            let isSame = small.utf8.elementsEqual(text.utf8) { $0 == $1 || $0 == $1 | 0x20 && (65...90).contains($1) }
            #expect(isSame, "\(text.debugDescription)")
        }
    }

    @Test func longTextsAreFilteredQuickly() throws {
        let text = "http://A/b?" + String(repeating: "token=1&id=%2B&x&", count: 20_000)
        #expect(RemoveQueryItems(["token", "x", ""]).key(text)?.utf8.count == 11 + 20_000 * 7 - 1)
        for filter in Self.filters { #expect(filter.key(text) != nil) }
    }
}

/// A text split byte by byte in the simplest way. Parts are compared as bytes, because some different strings compare
/// as equal.
private struct Parts {
    var start: [UInt8] = []
    var items: [Item] = []
    var end: [UInt8] = []

    init(_ text: String) {
        var query: [UInt8]?
        for byte in text.utf8 {
            if !end.isEmpty || byte == UInt8(ascii: "#") {
                end.append(byte)
            } else if query != nil {
                query?.append(byte)
            } else if byte == UInt8(ascii: "?") {
                query = []
            } else {
                start.append(byte)
            }
        }
        guard let query else { return }
        items = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map {
            .init(bytes: Array($0))
        }
    }
}

/// Bytes that can be compared and sorted.
private struct Item: Hashable, Comparable {
    let bytes: [UInt8]

    static func < (left: Item, right: Item) -> Bool { left.bytes.lexicographicallyPrecedes(right.bytes) }
}
