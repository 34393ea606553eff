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

    /// Before, these passed unless the caller had URLs that reveal them.
    @Test(arguments: [ConstantFilter(), EscapeDecodingFilter()] as [any CacheKeyFilter])
    func isCaughtByBuiltInURLs(_ filter: any CacheKeyFilter) throws {
        let violation = try #require(throws: ContractViolation.self) { try KeyFilterContract(filter).checkAll() }
        #expect(violation.message.contains("have the same key, but are different images"), "\(violation)")
    }

    @Test func filterOfASiteIsCaughtByAURLOfIt() throws {
        let contract = KeyFilterContract(SiteDecodingFilter())
        try contract.checkAll()
        let url = try #require(URL(string: "https://site.test/a.png"))
        let violation = try #require(throws: ContractViolation.self) { try contract.checkAll(same: [url]) }
        #expect(violation.message.contains("https://site.test/"), "\(violation)")
    }

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
