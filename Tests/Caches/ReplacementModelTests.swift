@testable import DarkroomCore
import DarkroomTestKit
import Dispatch
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

@testable import DarkroomCaches

/// Two managers over one disk folder, or one for originals and one for results, each with an image cache of its own, in
/// random interleavings of loads, refreshes, changes at the origin server, confirmations, removals, cancellations, slow
/// stores and crashes.
///
/// The invariant, checked after each step: a cache has nothing older than what a load has returned from the origin
/// server, and nothing whose request began before a removal that has ended.
@Suite(.bounded)
struct ReplacementModelTests {
    @Test(arguments: 0..<60, [1, 2]) func cachesNeverHaveWhatWasReplacedOrRemoved(seed: Int, diskCount: Int)
        async throws
    {
        let model = try ReplacementModel(seed: seed, diskCount: diskCount)
        for _ in 0..<90 {
            try await model.step()
            try await model.check()
        }
        await model.finish()
        try await model.check()
    }
}

private final class ReplacementModel {
    private var random: SeededGenerator
    /// The folder of results, and that of originals if they have their own.
    private let folders: [TemporaryDirectory]
    private let disks: [DiskDataCache]
    private let world = World()
    private var hosts: [Host]
    private var ended: [Host] = []
    private var loads: [Task<Void, Never>] = []

    init(seed: Int, diskCount: Int) throws {
        random = SeededGenerator(seed: seed)
        folders = try (0..<diskCount).map { _ in try TemporaryDirectory() }
        disks = try folders.map { try $0.cache() }
        hosts = [try Host(in: folders, world), try Host(in: folders, world)]
    }

    /// Starts an operation, or lets one that waits go on.
    func step() async throws {
        let index = Int.random(in: 0..<2, using: &random)
        let (host, url) = (hosts[index], World.urls.randomElement(using: &random)!)
        switch Int.random(in: 0..<40, using: &random) {
        case 0..<4: world.publish(url)
        case 4..<15:
            let context = context(for: host)
            start { await $0.load(url, context) }
        case 15..<17: start { await $0.encode(url) }
        case 17: loads.randomElement(using: &random)?.cancel()
        case 18: start { await $0.remove(url) }
        case 19: if Bool.random(using: &random) { start { await $0.removeAll() } }
        case 20:
            // A crash: whatever waits does not go on, and the memory is lost.
            host.end()
            ended.append(host)
            hosts[index] = try Host(in: folders, world)
        case 21: host.images.respond(to: .critical)
        default: await host.release(using: &random)
        }

        func start(_ call: @escaping @Sendable (Host) async -> Void) {
            host.turnstile.begin()
            loads.append(
                Task {
                    await call(host)
                    host.turnstile.end(of: .call)
                })
        }
    }

    private func context(for host: Host) -> ImageContext {
        ImageContext {
            $0.cacheUse = [.standard, .refresh, .loaderOnly].randomElement(using: &random)!
            switch Int.random(in: 0..<5, using: &random) {
            case 0: $0.thumbnail = .fit(6, 6)
            case 1: $0.transformers = [SlowTransformer(turnstile: host.turnstile)]
            case 2:
                $0.thumbnail = .fit(3, 3)
                $0.cachePolicy.originalQuery = [.memory, .disk]
                $0.cachePolicy.originalStore = [.memory, .disk]
            case 3:
                $0.thumbnail = .fit(4, 4)
                $0.cachePolicy.originalStore = []
            default: break
            }
        }
    }

    /// Checks the invariant for each key of each cache. The floors are read first.
    func check() async throws {
        for key in world.keys {
            let floor = world.floor(of: key.source)
            for disk in disks {
                guard let entry = try await disk.peek(at: key) else { continue }
                let stamp = try #require(Stamp(entry.data))
                #expect(floor.allows(stamp), "\(stamp) on disk at \(key), floor \(floor)")
            }
            for host in hosts {
                let floor = host.floors.floor(of: key.source)
                guard let image = host.images.image(for: key) else { continue }
                let stamp = Stamp(image.bitmap)
                #expect(floor.allows(stamp), "\(stamp) in memory at \(key), floor \(floor)")
            }
        }
    }

    /// Lets everything go on, and waits for its end.
    func finish() async {
        for host in hosts + ended { host.turnstile.open() }
        for load in loads { await load.value }
        for host in hosts { await host.manager.waitForStores() }
    }
}

/// The version of a picture, and the number of the request that fetched it. They are its color.
private struct Stamp {
    var version: Int
    var request: Int

    init(version: Int, request: Int) { (self.version, self.request) = (version, request) }

    init(_ bitmap: Bitmap) {
        let color = bitmap.color(x: 0, y: 0)!
        (version, request) = (Int(color.green), Int(color.blue))
    }

    /// The stamp of a plain file, whose pixels follow a header of eleven bytes.
    init?(_ file: Data) {
        let bytes = [UInt8](file)
        guard bytes.count > 14 else { return nil }
        (version, request) = (Int(bytes[12]), Int(bytes[13]))
    }

    var file: Data {
        PlainCoder.file(of: Bitmap(12, 8) { _, _ in Color(red: 0, green: UInt8(version), blue: UInt8(request)) })
    }
}

/// The bounds of a source, below which a cache must have nothing.
private struct Floor {
    /// The newest version that a load has returned from the origin server.
    var version = 0
    /// The last request before the last removal that has ended.
    var removedRequest = 0

    func allows(_ stamp: Stamp) -> Bool { stamp.version >= version && stamp.request > removedRequest }
}

/// The floors of all sources.
private final class Floors: Sendable {
    private let floors = Mutex<[String: Floor]>([:])

    func floor(of source: String) -> Floor { floors.withLock { $0[source] ?? Floor() } }

    func change(_ source: String, _ body: (inout Floor) -> Void) {
        floors.withLock { body(&$0[source, default: Floor()]) }
    }
}

/// The origin server, and what is known about it.
private final class World: Sendable {
    static let urls = ["a", "b", "c"].map { URL(string: "http://example.com/\($0).plain")! }

    private struct State {
        var versions: [URL: Int] = [:]
        var requestCount = 0
        var keys: Set<CacheKey> = []
    }

    private let state = Mutex(State())
    /// The floors of the disk: those of all managers together.
    private let floors = Floors()

    var keys: Set<CacheKey> { state.withLock(\.keys) }
    var requestCount: Int { state.withLock(\.requestCount) }

    func floor(of source: String) -> Floor { floors.floor(of: source) }

    func publish(_ url: URL) { state.withLock { $0.versions[url, default: 1] += 1 } }

    func note(_ key: CacheKey?) { state.withLock { if let key { $0.keys.formUnion([key, key.original]) } } }

    /// Raises the floor of the disk, and that of a host.
    func raise(_ source: String, of host: Floors, _ body: (inout Floor) -> Void) {
        for floors in [host, floors] { floors.change(source, body) }
    }

    /// Returns the response to a request that arrives now.
    func response(to request: LoadRequest) -> LoadResponse {
        let stamp = state.withLock { state in
            state.requestCount += 1
            return Stamp(version: state.versions[request.url] ?? 1, request: state.requestCount)
        }
        let tag = "\"\(stamp.version)\""
        let metadata = ResponseMetadata(url: request.url, status: 200, headers: ["etag": tag])
        guard request.stored?.headers["etag"] != tag else {
            let metadata = ResponseMetadata(url: request.url, status: 304, headers: ["etag": tag])
            return LoadResponse(.notModified, metadata: metadata)
        }
        return LoadResponse(.data(stamp.file), metadata: metadata)
    }
}

/// A process with a manager, until it crashes.
private final class Host: Sendable {
    let images = MemoryImageCache()
    let floors = Floors()
    let turnstile: Turnstile
    let manager: ImageManager
    private let world: World

    init(in folders: [TemporaryDirectory], _ world: World) throws {
        let turnstile = Turnstile()
        (self.world, self.turnstile) = (world, turnstile)
        let disks = try folders.map { GatedCache(base: try $0.cache(), turnstile: turnstile) }
        manager = try ImageManager { [images] in
            $0.install(
                FakeLoader { request in
                    // The origin server decides when the request arrives, and the response takes its time.
                    let response = world.response(to: request)
                    try await turnstile.pass()
                    return response
                })
            $0.install(PlainCoder())
            $0.imageCache = images
            $0.dataCache = disks[0]
            if disks.count > 1 { $0.originalCache = disks[1] }
            $0.resultFormat = .plain
            $0.workExecutor = WorkExecutor(name: "model", width: 16)
        }
    }

    /// Ends the process: nothing that waits goes on.
    func end() { turnstile.end() }

    /// Lets a random task go on, until it waits again, ends, or joins another one.
    func release(using random: inout SeededGenerator) async {
        let (joined, progress) = (manager.joinedCount, turnstile.progress)
        guard turnstile.release(using: &random) else { return }
        await StateChanges.wait { [self] in turnstile.progress > progress || manager.joinedCount > joined }
    }

    func load(_ url: URL, _ context: ImageContext) async {
        guard let result = try? await manager.load(url, context: context) else { return }
        returned(result.origin, Stamp(result.image.bitmap), result.key)
    }

    func encode(_ url: URL) async {
        guard let result = try? await manager.encoded(url, as: .plain), let stamp = Stamp(result.data) else { return }
        returned(result.origin, stamp, result.key)
    }

    private func returned(_ origin: LoadResult.Origin, _ stamp: Stamp, _ key: CacheKey?) {
        world.note(key)
        guard origin == .network, !turnstile.isEnded, let key else { return }
        world.raise(key.source, of: floors) { $0.version = max($0.version, stamp.version) }
    }

    func remove(_ url: URL) async {
        let last = world.requestCount
        guard (try? await manager.removeAll(of: url)) != nil, !turnstile.isEnded else { return }
        world.raise(url.absoluteString, of: floors) { $0.removedRequest = max($0.removedRequest, last) }
    }

    func removeAll() async {
        let last = world.requestCount
        guard (try? await manager.removeAll()) != nil, !turnstile.isEnded else { return }
        for url in World.urls {
            world.raise(url.absoluteString, of: floors) { $0.removedRequest = max($0.removedRequest, last) }
        }
    }
}

/// A disk cache whose reads return late, and whose changes happen late.
private struct GatedCache: DataCacheWrapper {
    let base: DiskDataCache
    let turnstile: Turnstile

    func entry(for key: CacheKey) async throws -> DataEntry? {
        let entry = try await base.entry(for: key)
        try await turnstile.pass()
        return entry
    }

    func store(_ entry: DataEntry, for key: CacheKey, with ticket: StoreTicket) async throws {
        // No other arrival or end follows a store.
        defer { turnstile.end(of: .store) }
        try await turnstile.pass()
        try await base.store(entry, for: key, with: ticket)
    }

    func update(_ metadata: DataEntry.Metadata, for key: CacheKey) async throws {
        try await turnstile.pass()
        try await base.update(metadata, for: key)
    }

    func startGeneration(of response: SourceResponse, after ticket: StoreTicket?) async throws -> StoreTicket? {
        try await turnstile.pass()
        return try await base.startGeneration(of: response, after: ticket)
    }

    func removeAll(ofSource source: String) async throws {
        try await turnstile.pass()
        try await base.removeAll(ofSource: source)
    }
}

/// A transformer that takes its time.
private struct SlowTransformer: ImageTransformer {
    let turnstile: Turnstile

    var identifier: String { "Slow()" }

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        turnstile.passOnThread()
        if (try? request.checkCancellation()) == nil { turnstile.end(of: .cancelledRun) }
        return bitmap
    }
}

/// Where the tasks and threads of a process wait until the model lets them go on.
private final class Turnstile: Sendable {
    /// An activity that ends without another wait here.
    enum Activity {
        case call, store, cancelledRun
    }

    private struct State {
        var waiting: [@Sendable () -> Void] = []
        var callCount = 0
        var progress = 0
        var isOpen = false
        var isEnded = false
    }

    private let state = Mutex(State())

    /// The number of arrivals and ends of activities so far. Whatever goes on leads to one of them, or joins a run.
    var progress: Int { state.withLock(\.progress) }

    /// Whether the process has crashed.
    var isEnded: Bool { state.withLock(\.isEnded) }

    /// Counts a call that is about to start.
    func begin() { state.withLock { $0.callCount += 1 } }

    /// Notes that an activity has ended.
    func end(of activity: Activity) {
        state.withLock { state in
            if activity == .call { state.callCount -= 1 }
            state.progress += 1
        }
        StateChanges.notify()
    }

    /// Waits until the model lets this task go on. Throws if the process has crashed by then.
    func pass() async throws {
        await withCheckedContinuation { continuation in wait { continuation.resume() } }
        if Task.isCancelled { end(of: .cancelledRun) }
        guard !isEnded else { throw CancellationError() }
    }

    /// Blocks the thread until the model lets it go on.
    func passOnThread() {
        let semaphore = DispatchSemaphore(value: 0)
        wait { semaphore.signal() }
        semaphore.wait()
    }

    private func wait(_ resume: @escaping @Sendable () -> Void) {
        let passes = state.withLock { state in
            if !state.isOpen { state.waiting.append(resume) }
            state.progress += 1
            return state.isOpen
        }
        StateChanges.notify()
        if passes { resume() }
    }

    /// Lets a random one go on. Returns whether there is something to wait for: that, or a call that has yet to arrive.
    func release(using random: inout SeededGenerator) -> Bool {
        let (resume, callCount) = state.withLock { state in
            (state.waiting.indices.randomElement(using: &random).map { state.waiting.remove(at: $0) }, state.callCount)
        }
        resume?()
        return resume != nil || callCount > 0
    }

    /// Lets all go on, now and later.
    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for resume in waiting { resume() }
    }

    func end() {
        state.withLock { $0.isEnded = true }
        open()
    }
}
