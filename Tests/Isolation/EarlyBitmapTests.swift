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

    /// A picture, the options with which it is decoded, and the number of calls that takes.
    struct Case: CustomTestStringConvertible {
        let name: String
        let size: PixelSize
        var context = ImageContext()
        let callCount: Int

        var testDescription: String { name }
    }

    private static let cases = [
        Case(name: "small", size: PixelSize(300, 200), callCount: 1),
        Case(
            name: "thumbnail", size: PixelSize(300, 200), context: .init { $0.thumbnail = .cover(30, 30) },
            callCount: 1),
        Case(name: "needs much memory", size: PixelSize(1_200, 1_000), callCount: 2),
        Case(
            name: "damaged", size: PixelSize(300, 200), context: .init { $0.acceptsIncomplete = true }, callCount: 1),
    ]

    @Test(arguments: cases)
    func smallPictureTakesOneCall(_ one: Case) async throws {
        var file = try Self.png(one.size.width, one.size.height)
        if one.context.acceptsIncomplete { file.removeLast(file.count / 2) }
        let pool = try TestEnvironment.standard.makePool { $0.count = 1 }
        let manager = try ImageManager {
            configureComponents(&$0)
            $0.install(FakeLoader(file))
            $0.isolateCoders(in: pool)
        }
        let calls = { pool.statistics.callCount }
        // The first call waits until the worker is ready.
        _ = try pool.coders.info(of: file)

        var before = calls()
        let expected = try localCoders.decode(file, context: one.context)
        let image = try pool.coders.decode(file, context: one.context)
        #expect(calls() - before == one.callCount)
        #expect(image.bitmap == expected.bitmap && image.metadata.notes == expected.metadata.notes)
        #expect(image.metadata.isIncomplete == expected.metadata.isIncomplete)

        before = calls()
        let result = try await manager.load(try #require(URL(string: "http://example.com/a")), context: one.context)
        // A load tries to decode the whole file first.
        #expect(calls() - before == one.callCount * (one.context.acceptsIncomplete ? 2 : 1))
        #expect(result.image.bitmap == expected.bitmap)
        #expect(result.report.stages.contains { $0.detail?.hasSuffix("in a worker process") == true })
    }

    @Test func sizeThatATransformerChoosesTakesASecondCall() async throws {
        let file = try Self.png(300, 200)
        let pool = try TestEnvironment.standard.makePool { $0.count = 1 }
        let manager = try ImageManager {
            configureComponents(&$0)
            $0.install(FakeLoader(file))
            $0.isolateCoders(in: pool)
        }
        _ = try pool.coders.info(of: file)
        let before = pool.statistics.callCount
        let context = ImageContext { $0.transformers = [.resize(20, 20)] }
        let result = try await manager.load(try #require(URL(string: "http://example.com/a")), context: context)
        #expect(result.image.size == PixelSize(20, 20))
        #expect(pool.statistics.callCount - before == 2)
    }
}
