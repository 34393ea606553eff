import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

/// The contract catches the defect of each broken key filter.
@Suite struct BrokenKeyFilterTests {
    static let filters: [(sentence: String, filter: any CacheKeyFilter)] = [
        ("and filtered again", NonidempotentFilter()),
        ("but are different images", QueryDroppingFilter()),
        ("changes from call to call", NondeterministicFilter()),
        ("is empty", EmptyKeyFilter()),
        ("but are the same image", NonnormalizingFilter()),
    ]

    @Test(arguments: filters.indices) func isCaught(_ index: Int) throws {
        let (sentence, filter) = Self.filters[index]
        let violation = try #require(throws: ContractViolation.self) {
            try KeyFilterContract(filter).checkAll(
                different: ["https://example.com/?id=1", "https://example.com/?id=2"].compactMap { URL(string: $0) },
                same: ["https://example.com/a", "https://EXAMPLE.com/a"].compactMap { URL(string: $0) })
        }
        #expect(violation.message.contains(sentence), "\(violation)")
    }
}
