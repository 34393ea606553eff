import DarkroomCore
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import Testing

/// The contracts catch the defect of each broken cache, and accept a cache without a defect.
@Suite struct BrokenCacheTests {
    typealias Check = @Sendable (DataCacheContract) async throws -> Void

    private static func inMemory(_ cache: @escaping @Sendable () -> any DataCache) -> DataCacheContract {
        DataCacheContract(persists: false) { _ in cache() }
    }

    private static let checkAll: Check = { try await $0.checkAll() }

    static let dataCaches: [(sentence: String, contract: DataCacheContract, check: Check)] = [
        ("has other metadata", inMemory { MetadataLosingCache() }, checkAll),
        ("an entry is torn while others write", inMemory { TornEntryCache() }, { try await $0.checkConcurrency() }),
        ("stored in place of another has other bytes", inMemory { NonreplacingCache() }, checkAll),
        ("never stored, is not a miss", inMemory { KeyTruncatingCache() }, checkAll),
        ("never stored, is not a miss", inMemory { TextComparingCache() }, { try await $0.checkKeys() }),
        ("after removing a key, is a miss", inMemory { TextComparingCache() }, checkAll),
        ("after removing a source, is a miss", inMemory { PrefixRemovingCache() }, checkAll),
        ("after removing a source, is not a miss", inMemory { VariantKeepingDataCache() }, checkAll),
        ("only updated is not a miss", inMemory { UpsertingCache() }, checkAll),
        ("after an update of another version, has other metadata", inMemory { VersionIgnoringCache() }, checkAll),
        ("differs when peeked at", inMemory { EmptyPeekCache() }, checkAll),
        ("differs in memory", inMemory { StaleMemoryCache() }, { try await $0.checkReplacing() }),
        ("with a ticket from before removing its key is not a miss", inMemory { TicketIgnoringCache() }, checkAll),
        ("with a ticket from before a lookup and removing its key", inMemory { TicketlessLookupCache() }, checkAll),
        ("after a newer response, is not a miss", inMemory { ReplacedKeepingCache() }, checkAll),
        ("of an earlier load replaces that of a later one", inMemory { LatecomerCache() }, checkAll),
        ("is contained, but cannot be read", inMemory { ContainsEverythingCache() }, checkAll),
        ("an entry differs after the file", DataCacheContract { FileTrustingCache($0) }, checkAll),
        ("storing after the file", DataCacheContract { DamageBlockedCache($0) }, { try await $0.checkDamage() }),
        (
            "after reopening, is a miss", DataCacheContract { NonpersistentCache($0) },
            { try await $0.checkReopening() }
        ),
    ]

    @Test(arguments: dataCaches.indices) func dataCacheIsCaught(_ index: Int) async throws {
        let (sentence, contract, check) = Self.dataCaches[index]
        let violation = try await #require(throws: ContractViolation.self) { try await check(contract) }
        #expect(violation.message.contains(sentence), "\(violation)")
    }

    static let inPlaceWriting = DataCacheContract { InPlaceWritingCache($0) }

    @Test func inPlaceWritesAreCaughtByKillingTheProcess() async throws {
        let violation = try await #require(throws: ContractViolation.self) {
            try await Self.inPlaceWriting.checkKills(rounds: 100) { child in
                await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as DataCacheContract.Child] in
                    await BrokenCacheTests.inPlaceWriting.run(child)
                }
            }
        }
        #expect(violation.message.contains("an entry is torn"), "\(violation)")
    }

    static let partialWrite = DataCacheContract { PartialWriteCache($0) }

    @Test func entriesOnAFullDiskAreCaught() async throws {
        let violation = try await #require(throws: ContractViolation.self) {
            try await Self.partialWrite.checkFullDisk { child in
                await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as DataCacheContract.Child] in
                    await BrokenCacheTests.partialWrite.run(child)
                }
            }
        }
        #expect(violation.message.contains("an entry is torn when the disk is full"), "\(violation)")
    }

    static let permanentlyFailing = DataCacheContract { PermanentlyFailingCache($0) }

    @Test func permanentFailureIsCaught() async throws {
        let violation = try await #require(throws: ContractViolation.self) {
            try await Self.permanentlyFailing.checkFileShortage { child in
                await #expect(processExitsWith: .signal(SIGKILL)) { [child = child as DataCacheContract.Child] in
                    await BrokenCacheTests.permanentlyFailing.run(child)
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
        ("is stored, but it contains", ImageCacheContract { OriginalReturningImageCache() }),
        ("removing a key does not remove exactly that key", ImageCacheContract { NonremovingImageCache() }),
        ("removing a source does not remove exactly its images", ImageCacheContract { VariantKeepingImageCache() }),
        ("with a ticket from before removing its key", ImageCacheContract { TicketIgnoringImageCache() }),
        ("is not a miss after a newer response", ImageCacheContract { ReplacedKeepingImageCache() }),
        ("of an earlier load replaces that of a later one", ImageCacheContract { LatecomerImageCache() }),
        ("it loses the metadata of an image", ImageCacheContract { MetadataLosingImageCache() }),
        ("storing fails after memory pressure", ImageCacheContract { PressureDisabledImageCache() }),
    ]

    @Test(arguments: imageCaches.indices) func imageCacheIsCaught(_ index: Int) async throws {
        let (sentence, contract) = Self.imageCaches[index]
        let violation = try await #require(throws: ContractViolation.self) { try await contract.checkAll() }
        #expect(violation.message.contains(sentence), "\(violation)")
    }
}
