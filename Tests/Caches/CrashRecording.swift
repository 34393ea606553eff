import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import Testing

@testable import DarkroomCaches

/// The calls of a `CrashScenario`, and what the cache had after each step.
struct CrashRecording {
    /// How a process ends.
    enum Crash {
        /// After this number of calls. Everything before stays.
        case kill(Int)
        /// With its machine.
        case power
    }

    /// The effects of each call.
    let journal: [[DiskEffect]]

    private let folder: TemporaryDirectory
    private let scenario: CrashScenario
    /// The number of calls until the end of each step.
    private var ends: [Int] = []
    /// The entries of the cache at the end of each step.
    private var contents: [[CacheKey: DataEntry]] = []
    /// The files of totals that are left, by their numbers.
    private var originals: [Int: URL] = [:]
    private let usageFiles: Set<Int>

    private var root: URL { folder.url.appending(path: "disk") }

    init() async throws {
        folder = try TemporaryDirectory()
        let root = folder.url.appending(path: "disk")
        try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
        scenario = CrashScenario(root: root)
        let journal = DiskJournal(root: root.path)
        var cache: DiskDataCache? = try await scenario.open(journal.faults)
        for step in CrashScenario.steps {
            if let cache { try await step.body(scenario, cache) }
            ends.append(journal.calls.count)
            contents.append(try scenario.contents())
        }
        cache = nil
        // Filters of sources are valid only in the very file.
        for (path, number) in journal.files where path.hasSuffix("/darkroom-usage") {
            let original = folder.url.appending(path: "usage-\(number)")
            try FileManager.default.linkItem(at: root.appending(path: path), to: original)
            originals[number] = original
        }
        self.journal = journal.calls
        usageFiles = Set(
            journal.calls.joined().compactMap { effect in
                if case .link(let path, let file) = effect, path.hasSuffix("/darkroom-usage") { file } else { nil }
            })
    }

    /// The number of effects of all calls.
    var effectCount: Int { journal.joined().count }

    /// Returns numbers of calls: every `step`th one, and the last.
    func prefixes(of step: Int) -> [Int] { Array(stride(from: 0, to: journal.count, by: step)) + [journal.count] }

    /// Returns the disk after some calls, of which the last one may have written only a half.
    func disk(after count: Int, isTorn: Bool) -> SimulatedDisk {
        var disk = SimulatedDisk()
        for effect in journal.prefix(count).joined() { disk.apply(effect) }
        if isTorn, count < journal.count {
            for case .bytes(let bytes, let file, let offset) in journal[count] {
                disk.apply(.length(offset + bytes.count / 2, file: file))
                disk.apply(.bytes(Array(bytes.prefix(bytes.count / 2)), file: file, offset: offset))
            }
        }
        return disk
    }

    /// Returns the disk after some calls, without what was lost.
    func disk(after count: Int, _ loss: PowerLoss) -> SimulatedDisk {
        var disk = SimulatedDisk()
        for effect in loss.rest(of: Array(journal.prefix(count).joined()), usage: usageFiles) { disk.apply(effect) }
        return disk
    }

    /// Opens caches on `disk`, and checks what they have and that they work.
    func check(_ disk: SimulatedDisk, _ crash: Crash, _ comment: Comment) async throws {
        try disk.write(to: root, originals: originals)
        let found = try scenario.contents()
        for key in CrashScenario.keys {
            let isPossible =
                found[key].map { possible(key, after: crash).contains($0) } ?? mayBeMissing(key, after: crash)
            #expect(isPossible, "\(key): \(comment)")
        }
        for name in ["cache", "moved"] where name == "cache" || CrashScenario.path(in: root, name).isFolder {
            // Filters are valid as long as the system runs.
            let scope = if case .kill = crash { FilterScope.current } else { FilterScope(systemStart: "next") }
            try CrashCheck(CrashScenario.path(in: root, name), scope, "\(name): \(comment)").run()
        }
    }

    private func step(after count: Int) -> Int { ends.firstIndex { count < $0 } ?? ends.count - 1 }

    /// The entries before and after the interrupted step.
    private func states(after count: Int) -> [[CacheKey: DataEntry]] {
        let step = step(after: count)
        return [step > 0 ? contents[step - 1] : [:], contents[step]]
    }

    private func possible(_ key: CacheKey, after crash: Crash) -> Set<DataEntry> {
        switch crash {
        case .kill(let count): Set(states(after: count).compactMap { $0[key] })
        case .power: CrashScenario.storedEntries[key] ?? []
        }
    }

    private func mayBeMissing(_ key: CacheKey, after crash: Crash) -> Bool {
        guard case .kill(let count) = crash else { return true }
        let step = CrashScenario.steps[step(after: count)]
        return step.removesAny || step.removed.map { Shard(ofSource: $0) } == Shard(ofSource: key.source)
            || states(after: count).contains { $0[key] == nil }
    }
}
