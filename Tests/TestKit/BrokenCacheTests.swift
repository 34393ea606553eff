import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Testing

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// The kit tells what is wrong with each broken cache, and finds nothing wrong with a sound one.
@Suite struct BrokenCacheTests {
    typealias Check = @Sendable (DataCacheContract) async throws -> Void

    private static func inMemory(_ cache: @escaping @Sendable () -> any DataCache) -> DataCacheContract {
        DataCacheContract(persists: false) { _ in cache() }
    }

    private static let checkAll: Check = { try await $0.checkAll() }

    static let dataCaches: [(sentence: String, contract: DataCacheContract, check: Check)] = [
        ("has other metadata", inMemory { LosingMetadata() }, checkAll),
        ("an entry is torn while others write", inMemory { TearingEntries() }, { try await $0.checkConcurrency() }),
        ("stored in place of another has other bytes", inMemory { NeverReplacing() }, checkAll),
        ("never stored, is not a miss", inMemory { CuttingKeys() }, checkAll),
        ("never stored, is not a miss", inMemory { ComparingText() }, { try await $0.checkKeys() }),
        ("after removing a key, is a miss", inMemory { ComparingText() }, checkAll),
        ("after removing a source, is a miss", inMemory { RemovingTooMuch() }, checkAll),
        ("after removing a source, is not a miss", inMemory { RemovingTooLittle() }, checkAll),
        ("only updated is not a miss", inMemory { UpdatingWhatIsNotThere() }, checkAll),
        ("metadata of another version came, has other metadata", inMemory { ConfirmingAnyVersion() }, checkAll),
        ("is another one when peeked at", inMemory { PeekingAtNothing() }, checkAll),
        ("is another one in memory", inMemory { KeepingRemovedInMemory() }, { try await $0.checkReplacing() }),
        ("is contained, but cannot be read", inMemory { ContainingEverything() }, checkAll),
        ("is another one after the file", DataCacheContract { TrustingFiles($0) }, checkAll),
        ("storing after the file", DataCacheContract { BlockedByDamage($0) }, { try await $0.checkDamage() }),
        (
            "after reopening, is a miss", DataCacheContract { ForgettingAtReopening($0) },
            { try await $0.checkReopening() }
        ),
    ]

    @Test(arguments: dataCaches.indices) func dataCacheIsCaught(_ index: Int) async throws {
        let (sentence, contract, check) = Self.dataCaches[index]
        let violation = try await #require(throws: ContractViolation.self) { try await check(contract) }
        #expect(violation.message.contains(sentence), "\(violation)")
    }

    static let writingInPlace = DataCacheContract { WritingInPlace($0) }

    @Test func inPlaceWritesAreCaughtByKillingTheProcess() async throws {
        let violation = try await #require(throws: ContractViolation.self) {
            try await Self.writingInPlace.checkKills(rounds: 100) { child in
                await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as DataCacheContract.Child] in
                    await BrokenCacheTests.writingInPlace.run(child)
                }
            }
        }
        #expect(violation.message.contains("an entry is torn"), "\(violation)")
    }

    static let keepingWhatDidNotFit = DataCacheContract { KeepingWhatDidNotFit($0) }

    @Test func entriesOnAFullDiskAreCaught() async throws {
        let violation = try await #require(throws: ContractViolation.self) {
            try await Self.keepingWhatDidNotFit.checkFullDisk { child in
                await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as DataCacheContract.Child] in
                    await BrokenCacheTests.keepingWhatDidNotFit.run(child)
                }
            }
        }
        #expect(violation.message.contains("an entry is torn when the disk is full"), "\(violation)")
    }

    static let givingUp = DataCacheContract { GivingUpForGood($0) }

    @Test func permanentFailureIsCaught() async throws {
        let violation = try await #require(throws: ContractViolation.self) {
            try await Self.givingUp.checkFileShortage { child in
                await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as DataCacheContract.Child] in
                    await BrokenCacheTests.givingUp.run(child)
                }
            }
        }
        #expect(violation.message.contains("storing where it failed when no file can be opened"), "\(violation)")
    }

    @Test func missingChildProcessIsReported() async throws {
        let violation = try await #require(throws: ContractViolation.self) { try await Self.sound.checkKills { _ in } }
        #expect(violation.message.contains("was not run in another process"))
    }

    static let sound = DataCacheContract { FolderCache($0) }

    @Test func soundPluginPasses() async throws {
        try await Self.sound.checkAll()
        try await Self.sound.checkKills(rounds: 4) { child in await Self.runSound(child) }
        try await Self.sound.checkFullDisk { child in await Self.runSound(child) }
        try await Self.sound.checkFileShortage { child in await Self.runSound(child) }
    }

    private static func runSound(_ child: DataCacheContract.Child) async {
        await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as DataCacheContract.Child] in
            await BrokenCacheTests.sound.run(child)
        }
    }

    static let imageCaches: [(sentence: String, contract: ImageCacheContract)] = [
        ("and answers for", ImageCacheContract { AnsweringForOtherKeys() }),
        ("removing a key does not remove that one alone", ImageCacheContract { NeverRemoving() }),
        ("removing a source does not remove all of it", ImageCacheContract { KeepingVariants() }),
        ("it loses what goes with an image", ImageCacheContract { LosingImageMetadata() }),
        ("nothing can be stored after a pressure", ImageCacheContract { DyingOfPressure() }),
    ]

    @Test(arguments: imageCaches.indices) func imageCacheIsCaught(_ index: Int) async throws {
        let (sentence, contract) = Self.imageCaches[index]
        let violation = try await #require(throws: ContractViolation.self) { try await contract.checkAll() }
        #expect(violation.message.contains(sentence), "\(violation)")
    }
}
