import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import Testing

@testable import DarkroomCaches

/// The guarantees of `DiskDataCache` if any single file system call fails, or is the last one of its process.
@Suite struct FaultTests {
    enum Fault: CaseIterable, Sendable {
        case diskFull, brokenDisk, readOnly, death
    }

    /// With room for all entries none may be lost; with little room, a store evicts others.
    @Test(arguments: Fault.allCases, [100_000, 700])
    func entriesStayIntactWhicheverCallFails(_ fault: Fault, _ byteLimit: Int) async throws {
        var number = 0
        while try await isHit(by: fault, at: number, byteLimit) { number += 1 }
        #expect(number > 100, "the scenario makes at least this many calls")
    }

    /// Runs the scenario with one fault and checks everything. Returns whether the scenario made a call with that
    /// number.
    private func isHit(by fault: Fault, at number: Int, _ byteLimit: Int) async throws -> Bool {
        let folder = try TemporaryDirectory()
        let plan = FaultPlan(fault, at: number)
        var scenario = Scenario(canEvict: byteLimit < 10_000)
        if let cache = try? folder.cache(byteLimit: byteLimit, scanInterval: nil, faults: plan.faults) {
            await cache.waitForOpeningScan()
            scenario.play(in: cache.store)
            plan.end()
            if fault != .death { try scenario.check(cache.store, "the same cache after \(fault) at call \(number)") }
        }
        try await check(folder, &scenario, byteLimit, "another cache after \(fault) at call \(number)")
        return plan.isHit
    }

    private func check(
        _ folder: TemporaryDirectory, _ scenario: inout Scenario, _ byteLimit: Int, _ comment: Comment
    ) async throws {
        for file in try folder.files() where file.contains("/.") {
            try folder.age(folder.url.appending(path: file), access: 7200, modification: 7200)
        }
        let cache = try folder.cache(byteLimit: byteLimit)
        try scenario.check(cache.store, comment)
        await cache.waitForOpeningScan()
        let files = try folder.files().filter { $0.contains("/") && !$0.hasSuffix("/") }
        let entries = try files.filter {
            try FileStatus(of: FilePath(text: folder.url.appending(path: $0).path)).isRegular
        }
        #expect(!entries.contains { $0.contains("/.") }, comment)
        #expect(
            try cache.store.directory.total() == .init(byteCount: folder.byteCount(), count: entries.count), comment)
        try cache.store.store(Scenario.entry(9), for: "e")
        #expect(try cache.store.entry(for: "e") == Scenario.entry(9), comment)
        #expect(try folder.byteCount() <= byteLimit, comment)
    }
}

/// Makes one call fail. A write fails in the middle.
private final class FaultPlan: Sendable {
    private struct State {
        var left: Int
        var isTorn = false
        var isHit = false
        var isOver = false
    }

    private let fault: FaultTests.Fault
    private let state: Mutex<State>

    init(_ fault: FaultTests.Fault, at number: Int) {
        self.fault = fault
        state = Mutex(State(left: number))
    }

    var isHit: Bool { state.withLock(\.isHit) }

    /// Makes all further calls succeed.
    func end() { state.withLock { $0.isOver = true } }

    var faults: FileFaults {
        FileFaults { [self] call, byteCount throws(SystemError) in
            switch state.withLock({ decide(call, byteCount, &$0) }) {
            case .success(let count): return count
            case .failure(let error): throw error
            }
        }
    }

    private func decide(_ call: FileOperation, _ byteCount: Int, _ state: inout State) -> Result<Int, SystemError> {
        guard !state.isOver else { return .success(byteCount) }
        if state.isTorn || (fault == .death && state.isHit) {
            state.isTorn = false
            return .failure(SystemError(code: code))
        }
        state.left -= 1
        guard state.left == -1 else { return .success(byteCount) }
        state.isHit = true
        state.isTorn = call == .write && byteCount > 1
        return state.isTorn ? .success(byteCount / 2) : .failure(SystemError(code: code))
    }

    private var code: Int32 {
        switch fault {
        case .diskFull: ENOSPC
        case .brokenDisk, .death: EIO
        case .readOnly: EROFS
        }
    }
}

/// Stores, updates, evictions and removals, and the possible entry of each key after successful and failed operations.
private struct Scenario {
    private static let keys: [CacheKey] = ["a", CacheKey(source: "a", variant: ["V"]), "b", "c", "d"]

    private let canEvict: Bool
    private var possibleEntries: [CacheKey: Set<DataEntry?>] = Dictionary(
        uniqueKeysWithValues: Self.keys.map { ($0, [nil]) })

    init(canEvict: Bool) { self.canEvict = canEvict }

    static func entry(_ number: UInt8, metadata: UInt8 = 0) -> DataEntry {
        DataEntry(Data(repeating: number, count: 90 + Int(number)), metadata: Self.metadata(metadata))
    }

    static func metadata(_ number: UInt8) -> DataEntry.Metadata {
        var metadata = DataEntry.Metadata(storedAt: Date(timeIntervalSinceReferenceDate: 0))
        metadata.extendedData = Data([number])
        return metadata
    }

    mutating func play(in store: EntryStore) {
        let keys = Self.keys
        for (index, key) in keys.enumerated() { self.store(Self.entry(UInt8(index)), key, store) }
        update(Self.metadata(7), keys[3], store)
        self.store(Self.entry(6), keys[4], store)
        read(keys[4], store)
        remove([keys[3]]) { try store.remove(keys[3]) }
        self.store(Self.entry(7), keys[2], store)
        remove([keys[0], keys[1]]) { try store.removeAll(ofSource: "a") }
        self.store(Self.entry(8), keys[1], store)
        update(Self.metadata(8), keys[1], store)
    }

    /// Reads all keys, which must succeed now.
    mutating func check(_ store: EntryStore, _ comment: Comment) throws {
        for key in Self.keys {
            let found = try store.entry(for: key)
            #expect(possibleEntries[key]!.contains(found), "\(key): \(comment)")
            possibleEntries[key] = [found]
        }
    }

    private mutating func store(_ entry: DataEntry, _ key: CacheKey, _ store: EntryStore) {
        evictOthers(than: key)
        do {
            try store.store(entry, for: key)
            possibleEntries[key] = [entry]
        } catch {
            possibleEntries[key]!.insert(entry)
        }
    }

    private mutating func update(_ metadata: DataEntry.Metadata, _ key: CacheKey, _ store: EntryStore) {
        evictOthers(than: key)
        let updated = Set(possibleEntries[key]!.map { $0.map { DataEntry($0.data, metadata: metadata) } })
        do {
            try store.update(metadata, for: key)
            possibleEntries[key] = updated
        } catch {
            possibleEntries[key]!.formUnion(updated)
        }
    }

    private mutating func read(_ key: CacheKey, _ store: EntryStore) {
        guard let found = try? store.entry(for: key) else { return }
        #expect(possibleEntries[key]!.contains(found))
    }

    private mutating func remove(_ keys: [CacheKey], _ body: () throws -> Void) {
        do {
            try body()
            for key in keys { possibleEntries[key] = [nil] }
        } catch {
            for key in keys { possibleEntries[key]!.insert(nil) }
        }
    }

    private mutating func evictOthers(than key: CacheKey) {
        guard canEvict else { return }
        for other in Self.keys where other != key { possibleEntries[other]!.insert(nil) }
    }
}
