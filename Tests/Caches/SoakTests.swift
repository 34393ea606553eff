import DarkroomCore
import DarkroomFiles
import DarkroomPlatform
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DarkroomCaches

/// Many clients of one manager over a disk cache, while the origin, the disk and the clients fail at random.
///
/// It ends after a few thousand operations. `Scripts/soak MINUTES` runs it for longer, with 200 clients and 5,000 pictures, and
/// prints what it has done and how memory has grown.
@Suite(.timeLimit(.minutes(120))) struct SoakTests {
    private static let duration = ProcessInfo.processInfo.environment["DARKROOM_SOAK"]
        .flatMap { Double($0) }.map { Duration.seconds($0 * 60) }

    @Test func nothingIsWrongOrLeft() async throws {
        let folder = try TemporaryDirectory()
        let isLong = Self.duration != nil
        let soak = try Soak(in: folder, pictureCount: isLong ? 5000 : 200, byteLimit: isLong ? 8 << 20 : 200_000)
        let end = Self.duration.map { ContinuousClock.now + $0 }
        await withTaskGroup { group in
            for client in 0..<(isLong ? 200 : 20) {
                group.addTask {
                    var (random, left) = (SeededGenerator(seed: client), 100)
                    while end.map({ ContinuousClock.now < $0 }) ?? (left > 0) {
                        await soak.step(using: &random)
                        left -= 1
                    }
                }
            }
        }
        try await soak.check()
        if isLong { print(soak.report) }
        // In less time, it is noise.
        if let duration = Self.duration, duration >= .seconds(600) { #expect(soak.growth < 0.1, "megabytes a minute") }
    }
}

private final class Soak: Sendable {
    private struct Counts {
        var outcomes: [String: Int] = [:]
        var total = 0
        /// Minutes since the start, and megabytes then.
        var memory: [(minutes: Double, megabytes: Double)] = []
    }

    private let folder: TemporaryDirectory
    private let images = MemoryImageCache(byteLimit: 64 << 10)
    private let disk: DiskDataCache
    private let manager: ImageManager
    private let faults: RandomFaults
    private let pictureCount: Int
    private let byteLimit: Int
    private let counts = Mutex(Counts())
    private let start = ContinuousClock.now

    init(in folder: TemporaryDirectory, pictureCount: Int, byteLimit: Int) throws {
        (self.folder, self.pictureCount, self.byteLimit) = (folder, pictureCount, byteLimit)
        let faults = RandomFaults()
        disk = try folder.cache(byteLimit: byteLimit, faults: faults.faults)
        faults.start()
        manager = try ImageManager { [images, disk] in
            $0.install(FlakyOrigin())
            $0.install(PlainCoder())
            $0.imageCache = images
            $0.dataCache = disk
            // Or else a client may be refused what failed for another one.
            $0.failedURLLifetime = .zero
        }
        self.faults = faults
    }

    /// Returns the picture of `url`, whose color is that of no other one nearby.
    static func picture(_ number: Int) -> Data {
        PlainCoder.file(of: Bitmap(8, 8) { _, _ in color(number) })
    }

    private static func color(_ number: Int) -> Color {
        Color(red: UInt8(number & 0xFF), green: UInt8(number >> 8 & 0xFF), blue: 77)
    }

    func step(using random: inout SeededGenerator) async {
        // Some are in demand more often.
        let number =
            Int.random(in: 0..<pictureCount, using: &random) * Int.random(in: 0..<pictureCount, using: &random)
            / pictureCount
        guard let url = URL(string: "http://a.test/\(number)") else { return }
        switch Int.random(in: 0..<1000, using: &random) {
        case 0..<20: await note("source removed") { try await self.manager.removeAll(of: url) }
        case 20: await note("all removed") { try await self.manager.removeAll() }
        case 21: await note("trimmed") { try await self.disk.trim() }
        case 22..<27: images.respond(to: .critical)
        case 27..<100:
            let task = Task { try await self.load(url, number) }
            task.cancel()
            await note("load", mayBeCancelled: true) { try await task.value }
        default: await note("load") { try await self.load(url, number) }
        }
        sample()
    }

    private func load(_ url: URL, _ number: Int) async throws {
        let priority = LoadPriority.allCases.randomElement() ?? .normal
        let image = try await manager.load(url, context: ImageContext { $0.priority = priority }).image
        #expect(image.bitmap.color(x: 7, y: 7) == Self.color(number), "\(url)")
    }

    /// Counts the outcome of `body`. Only failures that were injected are expected.
    private func note(_ name: String, mayBeCancelled: Bool = false, _ body: @Sendable () async throws -> Void) async {
        var outcome = name
        do {
            try await body()
        } catch let error as ImageError {
            outcome += ": \(error.kind.rawValue)"
            let isInjected =
                error.message.contains(FlakyOrigin.message) || error.kind == .incomplete || error.kind == .corrupt
                || (error.kind == .storage && name != "load") || (error.kind == .cancelled && mayBeCancelled)
            #expect(isInjected, "\(name): \(error)")
        } catch {
            Issue.record("\(name): \(error)")
        }
        counts.withLock { [outcome] counts in
            counts.outcomes[outcome, default: 0] += 1
            counts.total += 1
        }
    }

    private func sample() {
        let elapsed = Double((ContinuousClock.now - start) / .seconds(60))
        let isDue = counts.withLock { elapsed - ($0.memory.last?.minutes ?? -1) > 1.0 / 30 }
        guard isDue, let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8) else { return }
        let line = status.split(separator: "\n").first { $0.hasPrefix("RssAnon:") } ?? ""
        let kilobytes = Double(line.filter { ("0"..."9").contains($0) }) ?? 0
        counts.withLock { $0.memory.append((elapsed, kilobytes / 1024)) }
    }

    /// Checks every byte in the caches, once nothing fails any more.
    func check() async throws {
        await manager.waitForStores()
        faults.end()
        #expect(try await disk.verify().removedCount == 0)
        try await disk.trim()
        #expect(try folder.byteCount() <= byteLimit)
        #expect(
            try disk.store.directory.total().byteCount
                == folder.files().filter { !$0.contains("/.") }.reduce(0) {
                    $0 + (try FileStatus(of: FilePath(text: folder.url.appending(path: $1).path)).byteCount)
                })
        #expect(disk.worker.waitingCount == 0)
        var random = SeededGenerator(seed: 0)
        for _ in 0..<50 {
            let number = Int.random(in: 0..<pictureCount, using: &random)
            guard let url = URL(string: "http://a.test/\(number)") else { continue }
            await note("load at the end") { try await self.load(url, number) }
        }
    }

    /// The counts of operations, and memory.
    var report: String {
        let growth = growth
        return counts.withLock { counts in
            let lines = counts.outcomes.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }
            return "soak: \(counts.total) operations\n" + lines.joined(separator: "\n")
                + "\nmemory: \(counts.memory.last?.megabytes ?? 0) MB, \(growth) MB a minute"
        }
    }

    /// The megabytes a minute by which memory has grown in the second half.
    var growth: Double {
        counts.withLock { counts in Self.slope(counts.memory.suffix((counts.memory.count + 1) / 2)) }
    }

    private static func slope(_ points: ArraySlice<(minutes: Double, megabytes: Double)>) -> Double {
        let count = Double(max(points.count, 1))
        let (x, y) = (points.reduce(0) { $0 + $1.minutes } / count, points.reduce(0) { $0 + $1.megabytes } / count)
        let covariance = points.reduce(0) { $0 + ($1.minutes - x) * ($1.megabytes - y) }
        let variance = points.reduce(0) { $0 + ($1.minutes - x) * ($1.minutes - x) }
        return variance > 0 ? covariance / variance : 0
    }
}

/// An origin of which some responses fail, and some are cut.
private struct FlakyOrigin: ImageLoader {
    static let message = "injected"

    func canLoad(_ url: URL) -> Bool { true }

    func load(_ request: LoadRequest) async throws -> LoadResponse {
        let picture = Soak.picture(Int(request.url.lastPathComponent) ?? 0)
        switch Int.random(in: 0..<100) {
        case 0..<3: throw ImageError(.network, .load, Self.message)
        case 3: return LoadResponse(.data(picture.prefix(picture.count / 2)))
        default: return LoadResponse(.data(picture))
        }
    }
}

/// One of a few hundred calls of the disk fails, but none of each fourth million: a removal of all entries takes thousands
/// of calls, and would never succeed otherwise.
private final class RandomFaults: Sendable {
    private let isActive = Atomic(false)
    private let callCount = Atomic(0)

    func start() { isActive.store(true, ordering: .relaxed) }

    func end() { isActive.store(false, ordering: .relaxed) }

    var faults: FileFaults {
        FileFaults { [self] _, byteCount throws(SystemError) in
            let number = callCount.wrappingAdd(1, ordering: .relaxed).oldValue
            guard isActive.load(ordering: .relaxed), number >> 20 & 3 != 3 else { return byteCount }
            switch Int.random(in: 0..<1000) {
            case 0: throw SystemError(code: EIO)
            case 1: throw SystemError(code: ENOSPC)
            case 2..<10: throw SystemError(code: EINTR)
            case 10..<20: return byteCount / 2 + byteCount % 2
            default: return byteCount
            }
        }
    }
}
