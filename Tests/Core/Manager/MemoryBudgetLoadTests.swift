@testable import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import Synchronization
import TestSupport
import Testing

/// A counter of the images between the start of their decode and the end of their transform.
private final class Lightbox: ImageTransformer {
    private let counts = Mutex((now: 0, most: 0))

    var identifier: String { "Lightbox()" }
    var mostAtOnce: Int { counts.withLock { $0.most } }

    func begin() { counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1)) } }

    func transform(_ bitmap: Bitmap, for request: TransformRequest) -> Bitmap {
        counts.withLock { $0.now -= 1 }
        return bitmap
    }
}

/// A transformer that makes large results of small images, and notes what is reserved meanwhile.
private final class Enlargement: ImageTransformer {
    static let size = PixelSize(400, 300)
    private let budget: MemoryBudget
    private let counts = Mutex((now: 0, most: 0, leastReserved: Int.max))

    init(_ budget: MemoryBudget) { self.budget = budget }

    var identifier: String { "Enlargement()" }
    var mostAtOnce: Int { counts.withLock { $0.most } }
    var leastReserved: Int { counts.withLock { $0.leastReserved } }

    func largestSize(for size: PixelSize) -> PixelSize { Self.size }

    func transform(_ bitmap: Bitmap, for request: TransformRequest) -> Bitmap {
        let reserved = budget.reservedByteCount
        counts.withLock { $0 = ($0.now + 1, max($0.most, $0.now + 1), min($0.leastReserved, reserved)) }
        defer { counts.withLock { $0.now -= 1 } }
        return Bitmap(Self.size.width, Self.size.height) { _, _ in Color(red: 0, green: 0, blue: 0) }
    }
}

@Suite(.bounded)
struct MemoryBudgetLoadTests {
    /// The bytes that a load of `Darkbox.file` with a transformer needs: the image and its result.
    private static let loadByteCount = 12 * 8 * 4 * 2

    private let box = Lightbox()
    private let budget = MemoryBudget(byteLimit: Self.loadByteCount * 3)

    private func manager(_ loader: FakeLoader, imageCache: (any ImageCache)? = nil) throws -> ImageManager {
        try ImageManager { [box, budget] in
            $0.install(loader)
            $0.install(PlainCoder { _ in box.begin() })
            $0.workExecutor = WorkExecutor(name: "test", width: 8)
            $0.memoryBudget = budget
            $0.imageCache = imageCache
        }
    }

    @Test(arguments: [3, 1]) func concurrentLoadsStayWithinTheBudget(limit: Int) async throws {
        budget.byteLimit = Self.loadByteCount * limit
        let gate = Gate()
        let manager = try manager(
            FakeLoader { _ in
                await gate.wait()
                return LoadResponse(.data(Darkbox.file))
            })
        try await withThrowingTaskGroup { group in
            for number in 0..<200 {
                let url = try #require(URL(string: "http://example.com/\(number).plain"))
                group.addTask { [box] in
                    _ = try await manager.load(url, context: ImageContext { $0.transformers = [box] })
                }
            }
            await gate.waitForArrivals(200)
            gate.open()
            try await group.waitForAll()
        }
        #expect((1...limit).contains(box.mostAtOnce))
        // A thread may hold an image for a moment after its work is done.
        _ = try await budget.reserve(.max)
        #expect(budget.waitingCount == 0)
    }

    @Test func resultsThatAreLargerThanTheirImagesAreReserved() async throws {
        let resultByteCount = 400 * 300 * 4
        budget.byteLimit = resultByteCount * 3
        let (enlargement, manager) = (Enlargement(budget), try manager(FakeLoader(Darkbox.file)))
        try await withThrowingTaskGroup { group in
            for number in 0..<100 {
                let url = try #require(URL(string: "http://example.com/\(number).plain"))
                group.addTask {
                    _ = try await manager.load(url, context: ImageContext { $0.transformers = [enlargement] })
                }
            }
            try await group.waitForAll()
        }
        // The result, and as much for whatever the transformer needs besides.
        #expect(enlargement.mostAtOnce == 1 && enlargement.leastReserved >= resultByteCount * 2)
        _ = try await budget.reserveForResult(.max, urgency: Urgency(.normal))
        #expect(budget.waitingCount == 0)
    }

    @Test func resultIsReservedUntilTheFileIsMade() async throws {
        let reserved = Recorder<Int>()
        let context = ImageContext {
            $0.encodedFormat = EncodedFormat(identifier: "noting") { [budget] _ in
                reserved.note(budget.reservedByteCount)
                return .plain
            }
            $0.transformers = [Enlargement(budget)]
        }
        _ = try await manager(FakeLoader(Darkbox.file)).encoded(Darkbox.url, context: context)
        #expect(reserved.values == [Self.loadByteCount + 400 * 300 * 4])
        _ = try await budget.reserveForResult(.max, urgency: Urgency(.normal))
    }

    @Test func imageLargerThanTheBudgetIsLoaded() async throws {
        budget.byteLimit = 1
        let manager = try manager(FakeLoader(Darkbox.file))
        #expect(try await manager.load(Darkbox.url).image.bitmap == Darkbox.bitmap)
        _ = try await budget.reserve(.max)
    }

    @Test func memoryStaysReservedUntilTheFileIsMade() async throws {
        let manager = try manager(FakeLoader(Darkbox.file))
        let reserved = Recorder<Int>()
        let context = ImageContext {
            // Called at the start of the encoding.
            $0.encodedFormat = EncodedFormat(identifier: "noting") { [budget] _ in
                reserved.note(budget.reservedByteCount)
                return .plain
            }
            $0.transformers = [box]
        }
        let file = try await manager.encoded(Darkbox.url, context: context)
        #expect(reserved.values == [Self.loadByteCount])
        // Neither a file nor an image that an app holds is part of the budget.
        let image = try await manager.load(Darkbox.url)
        _ = try await budget.reserve(.max)
        withExtendedLifetime((file, image)) {}
    }

    /// The load would wait for itself if it held the memory of the stored result while it decodes the original.
    @Test func storedResultThatIsNotUsedHoldsNoMemory() async throws {
        let reserved = Recorder<Int>()
        let loader = FakeLoader { [budget] _ in
            reserved.note(budget.reservedByteCount)
            return LoadResponse(.data(Darkbox.file))
        }
        let box = Darkbox(loader) { [budget] in
            $0.install(ReelCoder(decoded: Recorder()))
            $0.memoryBudget = budget
        }
        let context = ImageContext {
            $0.transformers = [Darken()]
            $0.transformsAnimations = false
        }
        let key = try #require(box.manager.key(for: Darkbox.url, context: context))
        // The result of a load that transforms animations.
        try await box.data.store(DataEntry(Darkbox.file), for: key)
        let result = try await box.manager.load(Darkbox.url, context: context)
        #expect(result.origin == .network && result.image.animation != nil && !result.image.metadata.isTransformed)
        #expect(reserved.values == [0])
    }

    @Test func failedDecodeReleasesItsReservation() async throws {
        let manager = try manager(FakeLoader(Darkbox.file.dropLast()))
        await #expect(throws: ImageError.self) { try await manager.load(Darkbox.url) }
        _ = try await budget.reserve(.max)
    }

    @Test func waitForMemoryCanBeCancelled() async throws {
        let manager = try manager(FakeLoader(Darkbox.file))
        let all = try await budget.reserve(budget.byteLimit)
        let task = Task { try await manager.load(Darkbox.url) }
        await StateChanges.wait { budget.waitingCount >= 1 }
        task.cancel()
        await #expect { try await task.value } throws: { ($0 as? ImageError)?.kind == .cancelled }
        all.release()
        _ = try await budget.reserve(.max)
        #expect(budget.waitingCount == 0)
        #expect(box.mostAtOnce == 0)
    }

    @Test func waitingLoadContinuesWhenMemoryIsReleased() async throws {
        let manager = try manager(FakeLoader(Darkbox.file))
        let all = try await budget.reserve(budget.byteLimit)
        let task = Task { try await manager.load(Darkbox.url) }
        await StateChanges.wait { budget.waitingCount >= 1 }
        #expect(box.mostAtOnce == 0)
        all.release()
        #expect(try await task.value.image.bitmap == Darkbox.bitmap)
    }

    @Test(arguments: [false, true]) func waitForMemoryIsASeparateStage(isKept: Bool) async throws {
        let (data, context) = (FakeDataCache(), ImageContext { $0.thumbnail = .fit(6, 6) })
        let manager = try ImageManager { [budget] in
            $0.install(FakeLoader(Darkbox.file))
            $0.install(PlainCoder())
            $0.memoryBudget = budget
            $0.dataCache = data
        }
        let key = try #require(manager.key(for: Darkbox.url, context: context))
        if isKept { try await data.store(DataEntry(Darkbox.file), for: key) }
        let all = try await budget.reserve(budget.byteLimit)
        let task = Task { try await manager.load(Darkbox.url, context: context) }
        await StateChanges.wait { budget.waitingCount >= 1 }
        all.release()
        let result = try await task.value
        #expect(result.origin == (isKept ? .disk : .network))
        let wait = try #require(result.report.stages.first { $0.step == .memory })
        let decodes = result.report.stages.filter { $0.step == .decode }
        #expect(decodes.contains { $0.start >= wait.start + wait.duration })
        #expect(decodes.allSatisfy { $0.start + $0.duration <= wait.start || $0.start >= wait.start + wait.duration })
        let other = try #require(URL(string: "http://example.com/b.plain"))
        #expect(try await manager.load(other, context: context).report.duration(of: .memory) == nil)
    }

    @Test func imageCacheEvictsForDecoding() async throws {
        let cache = TenantCache()
        let manager = try manager(FakeLoader(Darkbox.file), imageCache: cache)
        cache.heldBytes.withLock { $0 = budget.byteLimit }
        _ = try await manager.load(Darkbox.url)
        // Room for the image and for its encoded bytes.
        #expect(cache.heldByteCount == budget.byteLimit - 12 * 8 * 4 - Darkbox.file.count)
    }

    @Test func emptyBudgetIsRefusedAtInitialization() {
        #expect { try ImageManager { $0.memoryBudget = MemoryBudget(byteLimit: 0) } } throws: {
            ($0 as? ImageError)?.message.contains("memoryBudget.byteLimit") == true
        }
    }

    @Test(arguments: [
        (ImageContext(), 48), (ImageContext { $0.transformers = [Darken()] }, 96),
        (ImageContext { $0.thumbnail = .fit(2, 2) }, 48 + 16),
        (ImageContext { $0.limits.decodedByteCount = 10 }, 10),
    ])
    func estimateCountsAllMemoryInUseAtOnce(context: ImageContext, expected: Int) throws {
        let file = PlainCoder.file(of: Bitmap(4, 3) { _, _ in Color(red: 1, green: 2, blue: 3) })
        let source = InfoRequest(data: file, limits: context.limits)
        let decoding = try Decoding(source, coder: PlainCoder(), context: context, converter: nil)
        #expect(decoding.estimatedByteCount == expected)
    }
}

/// A cache that stores nothing, and claims to hold `heldByteCount` bytes.
final class TenantCache: ImageCache, MemoryBudget.Tenant {
    let heldBytes: Mutex<Int>

    init(heldByteCount: Int = 0) { heldBytes = Mutex(heldByteCount) }

    var heldByteCount: Int { heldBytes.withLock { $0 } }

    func shrink(by byteCount: Int) { heldBytes.withLock { $0 -= byteCount } }
    func image(for key: CacheKey) -> Image? { nil }
    func store(_ image: Image, for key: CacheKey) {}
    func contains(_ key: CacheKey) -> Bool { false }
    func remove(_ key: CacheKey) {}
    func removeAll(ofSource source: String) {}
    func removeAll() {}
}
