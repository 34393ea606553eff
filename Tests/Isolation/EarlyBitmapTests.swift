import DarkroomCore
import DarkroomIsolation
import DarkroomPlatform
import DarkroomTestKit
import DarkroomTransformers
import TestSupport
import Testing

/// Pixels that a worker delivers with the header.
@Suite(.withoutThreadSanitizer) struct EarlyBitmapTests {
    private static func png(_ width: Int, _ height: Int) throws -> Data {
        let bitmap = Bitmap.testCard(width, height)
        let image = Image(info: .init(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        return try localCoders.encode(image, as: .png)
    }

    /// A picture, and the options with which it is decoded.
    struct Case: CustomTestStringConvertible {
        let name: String
        var context = ImageContext()
        var memory = MemoryBudget.defaultByteLimit
        /// The number of calls that a load takes.
        var callCount = 1

        var testDescription: String { name }
    }

    private static let cases = [
        Case(name: "in full"),
        Case(name: "thumbnail", context: .init { $0.thumbnail = .cover(30, 30) }),
        Case(name: "more than is reserved before the header", memory: 20 << 20, callCount: 2),
        // A load tries to decode the whole file first.
        Case(name: "damaged", context: .init { $0.acceptsIncomplete = true }, callCount: 2),
        // Which determines the size itself.
        Case(name: "transformer", context: .init { $0.transformers = [.resize(20, 20)] }, callCount: 2),
    ]

    private let pool: WorkerPool

    init() async throws {
        pool = try TestEnvironment.standard.makePool { $0.count = 1 }
        // The first call waits until the worker is ready.
        _ = try pool.coders.info(of: try Self.png(1, 1))
    }

    private func load(_ file: Data, _ context: ImageContext = .init(), in budget: MemoryBudget) async throws -> Image {
        let manager = try ImageManager {
            configureComponents(&$0)
            $0.install(FakeLoader(file))
            $0.memoryBudget = budget
            $0.isolateCoders(in: pool)
        }
        let result = try await manager.load(try #require(URL(string: "http://example.com/a")), context: context)
        #expect(result.report.stages.contains { $0.detail?.hasSuffix("in a worker process") == true })
        return result.image
    }

    @Test(arguments: cases) func pixelsComeWithTheHeader(_ one: Case) async throws {
        var file = try Self.png(1_200, 1_000)
        if one.context.acceptsIncomplete { file.removeLast(file.count / 2) }
        let budget = MemoryBudget(byteLimit: one.memory)
        let before = pool.statistics.callCount
        let image = try await load(file, one.context, in: budget)
        #expect(pool.statistics.callCount - before == one.callCount)
        await StateChanges.wait { budget.reservedByteCount == 0 }
        if one.context.transformers.isEmpty {
            let expected = try localCoders.decode(file, context: one.context)
            #expect(image.bitmap == expected.bitmap && image.metadata.notes == expected.metadata.notes)
            #expect(image.metadata.isIncomplete == expected.metadata.isIncomplete)
        } else {
            #expect(image.size == PixelSize(20, 20))
        }
    }

    @Test func registryDecodesInOneCall() throws {
        let file = try Self.png(1_200, 1_000)
        let before = pool.statistics.callCount
        #expect(try pool.coders.decode(file).bitmap == localCoders.decode(file).bitmap)
        #expect(pool.statistics.callCount - before == 1)
    }

    @Test(arguments: [false, true]) func loadThatWaitsForMemoryDecodesOnce(isResized: Bool) async throws {
        let context = ImageContext { $0.transformers = isResized ? [.resize(600, 500)] : [] }
        let file = try Self.png(1_200, 1_000)
        let budget = MemoryBudget(byteLimit: 20 << 20)
        let everything = try #require(budget.reserveNow(budget.byteLimit))
        let before = pool.statistics.callCount
        async let image = load(file, context, in: budget)
        await StateChanges.wait { budget.waitingCount == 1 }
        // Only the header.
        #expect(pool.statistics.callCount - before == 1)
        everything.release()
        let bitmap = try await image.bitmap
        #expect(try isResized ? bitmap.size == PixelSize(600, 500) : bitmap == localCoders.decode(file).bitmap)
        #expect(pool.statistics.callCount - before == (isResized ? 3 : 2))
        await StateChanges.wait { budget.reservedByteCount == 0 }
    }
}
