import DarkroomCore
@testable import DarkroomFleet
import DarkroomTestKit
import Testing

struct ObjectNameTests {
    private let names = ObjectNames(prefix: "pictures", encoderVersion: "1")

    @Test func entriesOfASourceHaveACommonPrefix() {
        let prefix = names.source("a")
        #expect(prefix.hasPrefix("pictures/1/"))
        #expect(names.name(of: CacheKey(source: "a")) == prefix + "o")
        #expect(names.name(of: CacheKey(source: "a", variant: ["Crop(1)"])).hasPrefix(prefix))
        #expect(!names.name(of: CacheKey(source: "b")).hasPrefix(prefix))
    }

    @Test func differentKeysHaveDifferentNames() {
        let keys = [[], ["a"], ["b"], ["a", "b"], ["ab"], ["b", "a"], ["1"], ["o"]].map {
            CacheKey(source: "s", variant: $0)
        }
        #expect(Set(keys.map(names.name)).count == keys.count)
    }

    @Test func encodersOfAnotherVersionHaveOtherResults() {
        let newer = ObjectNames(prefix: "pictures", encoderVersion: "2")
        let (original, variant) = (CacheKey(source: "s"), CacheKey(source: "s", variant: ["a"]))
        #expect(newer.name(of: original) == names.name(of: original))
        #expect(newer.name(of: variant) != names.name(of: variant))
    }

    @Test func namesAreLegalForEveryStore() {
        let key = CacheKey(source: "https://example.com/\u{1F600} ?&#\0", variant: ["Crop({1,2})"])
        let allowed = Set("abcdefghijklmnopqrstuvwxyz0123456789/".utf8)
        #expect(names.name(of: key).utf8.allSatisfy(allowed.contains))
    }
}
