import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DarkroomCaches

/// A removal that reports success has removed, whoever else uses the folder, and needs no disk space.
@Suite(.bounded) struct RemovalModelTests {
    /// Several hosts load, store, replace and remove the same sources in a shared folder. Their clocks are wrong by hours, and
    /// jump. They restart, with or without a boot identifier, and see different device numbers. At times the disk is full, or
    /// the folder is deleted.
    @Test(arguments: 0..<60) func removedEntriesAreGoneAndStayAway(seed: Int) throws {
        let model = try RemovalModel(seed: seed)
        for _ in 0..<150 {
            try model.step()
            try model.check()
        }
        #expect(model.storeCount > 0)
    }

    /// From the call with each number on, nothing can be written.
    @Test(arguments: [false, true]) func removalsSucceedFromWhicheverCallOnTheDiskIsFull(_ canReserve: Bool) throws {
        var number = 0
        while try isReached(number, canReserve) { number += 1 }
        #expect(number > 60, "the scenario makes at least this many calls that need space")
    }

    /// Plays the scenario. Returns whether it made a call with that number.
    private func isReached(_ number: Int, _ canReserve: Bool) throws -> Bool {
        let folder = try TemporaryDirectory()
        let disk = ModelDisk(canReserve: canReserve, callsUntilFull: number)
        let directory = EntryDirectory(FilePath(text: folder.url.path + "/cache", faults: disk.faults))
        let store = EntryStore(directory, limits: .init(byteCount: 1 << 30))
        let keys: [CacheKey] = ["a", "b", CacheKey(source: "b", variant: ["V"]), "c", "d"]
        try? directory.prepare()
        for key in keys { try? store.store(DataEntry(Data([1])), for: key) }
        let tickets = try keys.map { try store.ticket(forSource: $0.source) }
        try store.remove(keys[0])
        #expect(try !store.contains(keys[0]), "after call \(number)")
        try store.removeAll(ofSource: "b")
        #expect(try !keys[1...2].contains { try store.contains($0) }, "after call \(number)")
        try store.removeAll()
        #expect(try !keys.contains { try store.contains($0) }, "after call \(number)")
        disk.isFull = false
        for (key, ticket) in zip(keys, tickets) { try store.store(DataEntry(Data([1])), for: key, with: ticket) }
        #expect(try !keys.contains { try store.contains($0) }, "stored by a load in flight after call \(number)")
        return disk.wasFull
    }
}

private final class RemovalModel {
    /// A load in flight.
    private struct Load {
        let host: Int
        let source: String
        let moment: LoadMoment
        let ticket: StoreTicket
        /// Whether the source was removed since it began.
        var isRemoved = false
        /// Whether its ticket is that of an earlier version.
        var isReplaced = false
        /// Whether the ticket is that of its response.
        var hasResponse = false
    }

    private struct Host {
        let store: EntryStore
        let scope: FilterScope
        let clock: HostClock
    }

    private static let shard = Shard(index: 5)
    /// More sources of one shard than it remembers, and one of another.
    private static let sources =
        Array((0...).lazy.map { "\($0)" }.filter { Shard(ofSource: $0) == shard }.prefix(5)) + ["another"]
    private static let variants = [[], ["A"], ["B"]]

    /// The number of loads that stored something.
    private(set) var storeCount = 0

    private let folder: TemporaryDirectory
    private let disk: ModelDisk
    private let observer: EntryStore
    private var random: SeededGenerator
    private var hosts: [Host] = []
    private var loads: [Load] = []
    private var startCount = 0
    /// The keys that may have entries.
    private var possible: Set<CacheKey> = []

    private var path: String { folder.url.appending(path: "cache").path }

    init(seed: Int) throws {
        random = SeededGenerator(seed: seed)
        folder = try TemporaryDirectory()
        disk = ModelDisk(canReserve: seed % 3 > 0)
        observer = EntryStore(
            EntryDirectory(FilePath(text: folder.url.appending(path: "cache").path)),
            limits: .init(byteCount: 1 << 30))
        for _ in 0..<3 { hosts.append(try makeHost()) }
    }

    /// Returns a host whose system has just started.
    private func makeHost() throws -> Host {
        startCount += 1
        let device: UInt64? = Bool.random(using: &random) ? 7 : nil
        let start = Int.random(in: 0..<4, using: &random) == 0 ? nil : "\(startCount)"
        let scope = FilterScope(systemStart: start, device: device)
        let clock = HostClock()
        if Bool.random(using: &random) { clock.jump(using: &random) }
        let directory = EntryDirectory(FilePath(text: path, faults: disk.faults), scope: scope) { clock.now }
        try? directory.prepare()
        return Host(store: EntryStore(directory, limits: .init(byteCount: 1 << 30)), scope: scope, clock: clock)
    }

    func step() throws {
        let index = hosts.indices.randomElement(using: &random)!
        let store = hosts[index].store
        let source = Self.sources.randomElement(using: &random)!
        let key = CacheKey(source: source, variant: Self.variants.randomElement(using: &random)!)
        switch Int.random(in: 0..<34, using: &random) {
        case 0..<6: try begin(source, on: index)
        case 6..<11: if let load = loads.randomElement(using: &random) { self.store(load) }
        case 11..<14: try storeAtOnce(key, on: index)
        case 14..<18: try start(source, on: index)
        case 18..<20:
            try store.remove(key)
            removed(source, [key], by: index)
        case 20..<24:
            try store.removeAll(ofSource: source)
            removed(source, Self.variants.map { CacheKey(source: source, variant: $0) }, by: index)
        case 24:
            try store.removeAll()
            for source in Self.sources { removed(source, possible, by: index) }
        case 25, 26: disk.isFull.toggle()
        case 27: if Bool.random(using: &random) { deleteFolder() }
        case 28, 29: hosts[index].clock.jump(using: &random)
        case 30, 31: try startAtOnce(source, on: index)
        default:
            hosts[index] = try makeHost()
            loads.removeAll { $0.host == index }
        }
    }

    /// Checks that nothing is there that was removed or replaced, and that no host misses a source in its filter.
    func check() throws {
        for source in Self.sources {
            for variant in Self.variants {
                let key = CacheKey(source: source, variant: variant)
                guard try observer.contains(key) else { continue }
                #expect(possible.contains(key), "\(key) was removed")
                for host in hosts {
                    let filter = try host.store.directory.usage.withLock {
                        try $0.sourceFilter(of: Shard(ofSource: source))
                    }
                    #expect(filter?.mayContain(MD5Digest(of: source)) ?? true, "\(host.scope) does not know \(source)")
                }
            }
        }
    }

    private func begin(_ source: String, on index: Int) throws {
        let moment = hosts[index].clock.now
        let ticket = try hosts[index].store.ticket(forSource: source)
        loads.append(Load(host: index, source: source, moment: moment, ticket: ticket))
        if loads.count > 12 { loads.removeFirst() }
    }

    private func store(_ load: Load) {
        let key = CacheKey(source: load.source, variant: Self.variants.randomElement(using: &random)!)
        if !load.isRemoved, !load.isReplaced { possible.insert(key) }
        let result: ()? = try? hosts[load.host].store.store(DataEntry(Data([1])), for: key, with: load.ticket)
        if result != nil { storeCount += 1 }
    }

    /// A load during which nothing happens stores its response.
    private func storeAtOnce(_ key: CacheKey, on index: Int) throws {
        let store = hosts[index].store
        let ticket = try store.ticket(forSource: key.source)
        possible.insert(key)
        guard !disk.isFull else { return }
        try store.store(DataEntry(Data([2])), for: key, with: ticket)
        #expect(try observer.contains(key))
        storeCount += 1
    }

    /// A load during which nothing happens receives its response.
    private func startAtOnce(_ source: String, on index: Int) throws {
        guard !disk.isFull else { return }
        let ticket = try hosts[index].store.ticket(forSource: source)
        startCount += 1
        var response = SourceResponse(of: source, at: hosts[index].clock.now, revision: "\(startCount)")
        response.isReplacement = Bool.random(using: &random)
        let isPermitted = try hosts[index].store.startGeneration(of: response, after: ticket) != nil
        #expect(isPermitted, "the response of a load during which nothing happened is refused")
        possible = possible.filter { $0.source != source }
        for index in loads.indices where loads[index].source == source { loads[index].isReplaced = true }
    }

    /// The response of a load replaces what is there.
    private func start(_ source: String, on index: Int) throws {
        let load = loads.filter { $0.source == source && !$0.hasResponse }.randomElement(using: &random)
        startCount += 1
        let moment = load?.moment ?? hosts[index].clock.now
        var response = SourceResponse(of: source, at: moment, revision: "\(startCount)")
        response.isReplacement = Bool.random(using: &random)
        let host = load?.host ?? index
        guard let ticket = try? hosts[host].store.startGeneration(of: response, after: load?.ticket) else { return }
        #expect(load?.isRemoved != true, "a load that began before the removal may store its response")
        possible = possible.filter { $0.source != source }
        for index in loads.indices where loads[index].source == source { loads[index].isReplaced = true }
        loads.removeAll { $0.moment == load?.moment }
        loads.append(
            Load(host: host, source: source, moment: response.moment, ticket: ticket, hasResponse: true))
    }

    private func removed(_ source: String, _ keys: some Sequence<CacheKey>, by host: Int) {
        possible.subtract(keys)
        // Only the host that removed something while the folder was gone knows of it.
        let isFolder = FilePath(text: path).isFolder
        if !isFolder { loads.removeAll { $0.source == source && $0.host != host } }
        for index in loads.indices where loads[index].source == source { loads[index].isRemoved = true }
    }

    /// Removes everything, with what only the file knew.
    private func deleteFolder() {
        try? FileManager.default.removeItem(atPath: path)
        possible = []
        loads.removeAll { $0.isRemoved || $0.isReplaced }
    }
}

/// The clock of a host, which may be wrong.
private final class HostClock: Sendable {
    private let offset = Mutex<Int64>(0)

    var now: LoadMoment { LoadMoment(nanoseconds: LoadMoment.now().nanoseconds + offset.withLock(\.self)) }

    /// Sets the clock forward or back, by up to a day.
    func jump(using random: inout SeededGenerator) {
        let new = Int64.random(in: -86_400...86_400, using: &random) * 1_000_000_000
        offset.withLock { $0 = new }
    }
}

/// A disk that can be full.
private final class ModelDisk: Sendable {
    private struct State {
        var isFull = false
        var callsUntilFull: Int
        var wasFull = false
        var isTorn = false
    }

    private let canReserve: Bool
    private let state: Mutex<State>

    init(canReserve: Bool, callsUntilFull: Int = .max) {
        self.canReserve = canReserve
        state = Mutex(State(callsUntilFull: callsUntilFull))
    }

    /// Whether nothing can be written. Setting it is final.
    var isFull: Bool {
        get { state.withLock(\.isFull) }
        set {
            state.withLock { state in
                (state.isFull, state.callsUntilFull) = (newValue, .max)
            }
        }
    }

    /// Whether it was full when something was to be written.
    var wasFull: Bool { state.withLock(\.wasFull) }

    var faults: FileFaults {
        FileFaults { [self] call, byteCount throws(SystemError) in
            if call == .reserve, !canReserve { throw SystemError(code: EOPNOTSUPP) }
            guard FileOperation.needingSpace.contains(call),
                let allowed = state.withLock({ allowedByteCount(of: call, byteCount, &$0) })
            else { return byteCount }
            guard allowed > 0 else { throw SystemError(code: ENOSPC) }
            return allowed
        }
    }

    /// Returns `nil` if the call succeeds, or how much of it does. Some writes fail in the middle.
    private func allowedByteCount(of call: FileOperation, _ byteCount: Int, _ state: inout State) -> Int? {
        if state.callsUntilFull == 0 { state.isFull = true } else { state.callsUntilFull -= 1 }
        guard state.isFull else { return nil }
        state.wasFull = true
        state.isTorn = call == .write && byteCount > 8 && !state.isTorn
        return state.isTorn ? byteCount / 2 : 0
    }
}

extension EntryStore {
    /// Removes all entries, as `DiskDataCache.removeAll` does.
    fileprivate func removeAll() throws {
        for shard in try directory.beginRemoval() { try directory.endRemoval(of: shard) }
    }
}
