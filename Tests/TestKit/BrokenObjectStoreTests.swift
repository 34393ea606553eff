import DarkroomCore
import DarkroomFleet
import DarkroomTestKit
import FoundationEssentials
import Testing

/// The contract catches the defect of each broken object store, and accepts a store without a defect.
@Suite struct BrokenObjectStoreTests {
    static let stores: [(sentence: String, store: any ObjectStore)] = [
        ("an object just stored has other bytes", TruncatingObjectStore()),
        ("storing 0 bytes as", EmptyRefusingObjectStore()),
        ("an object stored in place of another has other bytes", NonreplacingObjectStore()),
        ("ends in the engine responded with status 404", MissThrowingObjectStore()),
        ("removing a missing object ends in", MissingRemovalRefusingObjectStore()),
        ("a name never stored is contained, but cannot be read", ContainsEverythingObjectStore()),
        ("a removed object is not a miss", NonremovingObjectStore()),
        ("an object whose prefix was removed is not a miss", FirstPageObjectStore()),
        ("an object under a short prefix is not a miss", FolderRemovingObjectStore()),
        ("an object after removing a prefix of none is a miss", ParentRemovingObjectStore()),
        ("bytes, but the limit is 0", LimitIgnoringObjectStore()),
        ("reading at the limit ends in", LimitExcludingObjectStore()),
        ("an object beyond the limit ends in an error that is not an ImageError", ForeignErrorObjectStore()),
        ("a-b has other bytes", NameChangingObjectStore()),
        ("has an age of", AgedObjectStore()),
        ("an object is torn", TornObjectStore()),
    ]

    private static let checks: [Int: @Sendable (ObjectStoreContract) async throws -> Void] = [
        12: { try await $0.checkByteLimit() }, 13: { try await $0.checkNames() },
        11: { try await $0.checkByteLimit() }, 15: { try await $0.checkConcurrency() },
    ]

    @Test(arguments: stores.indices) func isCaught(_ index: Int) async throws {
        let (sentence, store) = Self.stores[index]
        let violation = try await #require(throws: ContractViolation.self) {
            let contract = ObjectStoreContract(store)
            if let check = Self.checks[index] { try await check(contract) } else { try await contract.checkAll() }
        }
        #expect(violation.message.contains(sentence), "\(violation)")
    }

    @Test func soundPluginPasses() async throws {
        let store = FakeObjectStore()
        let contract = ObjectStoreContract(store)
        try await contract.checkAll()
        #expect(store.names.isEmpty)
        let hang: ObjectStoreContract.Hang = { try await store.hanging($0) }
        try await contract.checkDeadlines(whileHanging: hang)
        try await contract.checkCancellation(whileHanging: hang)
    }

    @Test func ignoredDeadlineIsCaught() async throws {
        let store = DeadlineIgnoringObjectStore()
        try await expectViolation("object continues after its deadline") {
            try await ObjectStoreContract(store).checkDeadlines(timeout: .milliseconds(50)) {
                try await store.base.hanging($0)
            }
        }
    }

    @Test func ignoredCancellationIsCaught() async throws {
        let store = CancellationIgnoringObjectStore()
        try await expectViolation("object continues after it was cancelled") {
            try await ObjectStoreContract(store).checkCancellation(timeout: .milliseconds(50)) {
                try await store.base.hanging($0)
            }
        }
        store.gate.open()
    }

    @Test func successWithoutTheEngineIsCaught() async throws {
        let store = CarelessObjectStore()
        try await expectViolation("put beyond its deadline succeeds") {
            try await ObjectStoreContract(store).checkDeadlines { try await store.base.hanging($0) }
        }
    }

    private func expectViolation(_ sentence: String, _ body: () async throws -> Void) async throws {
        let violation = try await #require(throws: ContractViolation.self) { try await body() }
        #expect(violation.message.contains(sentence), "\(violation)")
    }
}

extension FakeObjectStore {
    /// Runs `body` while all calls wait.
    fileprivate func hanging(_ body: @Sendable () async throws -> Void) async throws {
        hold(at: Gate())
        defer { hold(at: nil) }
        try await body()
    }
}
