import FoundationEssentials
import Testing

@testable import DarkroomCore

struct LoaderMemoTests {
    private let now = Date(timeIntervalSince1970: 1_000_000_000)

    /// Two calls of one prepared request may read the version at once.
    @Test func olderReadingOfALocalVersionDoesNotReplaceANewerOne() {
        var memo = LoaderMemo()
        let (first, second) = (memo.beginReading(), memo.beginReading())
        memo.endReading(second, with: "2", at: now)
        memo.endReading(first, with: "1", at: now)
        #expect(memo.local?.revision == "2")
        memo.endReading(memo.beginReading(), with: "3", at: now)
        #expect(memo.local?.revision == "3")
    }

    @Test func localVersionThatCannotBeReadIsReadAgain() {
        var memo = LoaderMemo()
        memo.endReading(memo.beginReading(), with: "1", at: now)
        #expect(memo.knowsLocal(at: now, within: .seconds(1)))
        memo.endReading(memo.beginReading(), with: nil, at: now)
        #expect(!memo.knowsLocal(at: now, within: .seconds(1)))
        #expect(memo.local != nil && memo.local?.revision != "1")
    }
}
