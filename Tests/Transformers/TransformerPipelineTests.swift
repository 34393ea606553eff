import DarkroomCore
import DarkroomTransformers
import TestSupport
import Testing

/// A transformer that removes as many columns as the red value of the first pixel of the first frame.
private struct CutByRed: ImageTransformer {
    var count: Int?
    var identifier: String { "CutByRed()" }

    func resolved(forFirstFrame firstFrame: Bitmap, request: TransformRequest) -> any ImageTransformer {
        CutByRed(count: Int(firstFrame.color(x: 0, y: 0)!.red))
    }

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        let count = Double(count ?? Int(bitmap.color(x: 0, y: 0)!.red))
        return try Cropping(x: count, y: 0, width: 1e6, height: 1e6).transform(bitmap, for: request)
    }
}

struct TransformerPipelineTests {
    private let request = TransformRequest()

    /// An image whose column x has the red value x + 1.
    private let picture = Bitmap(9, 2) { x, _ in Color(red: UInt8(x + 1), green: 0, blue: 0) }

    @Test func identifiersAreJoined() {
        let pipeline = TransformerPipeline.pipeline([.flip(horizontal: true), .blur(radius: 5), .tint(.white)])
        #expect(pipeline.identifier == "Flipping(1,0)-Blur(5.000000)-Tint(#ffffffff,18)")
        #expect(TransformerPipeline([]).identifier == "")
    }

    @Test func eachTransformerReceivesThePreviousResult() throws {
        let pipeline = TransformerPipeline([.crop(x: 2, y: 0, width: 4, height: 2), .flip(horizontal: true)])
        let result = try pipeline.transform(picture, for: request)
        #expect(result.colors(in: PixelRectangle(x: 0, y: 0, width: 4, height: 1))?.map(\.red) == [6, 5, 4, 3])
        #expect(try TransformerPipeline([]).transform(picture, for: request).isIdentical(to: picture))
    }

    @Test func memoryIsThatOfTheLargestStepAndItsInput() {
        let pipeline = TransformerPipeline([.resize(200, 100), .blur(radius: 2), .resize(4, 4)])
        #expect(pipeline.workingByteCount(for: PixelSize(10, 10)) == 200 * 100 * (4 + 20))
        #expect(TransformerPipeline([]).workingByteCount(for: PixelSize(10, 10)) == 0)
    }

    @Test func firstErrorEndsThePipeline() {
        let pipeline = TransformerPipeline([.flip(), .blur(radius: -1), .resize(0, 0)])
        let error = #expect(throws: ImageError.self) { try pipeline.transform(picture, for: request) }
        #expect(error?.message.contains("blur") == true)
    }

    @Test func membersAreResolvedForTheFrameTheyReceive() throws {
        // The first transformer removes 1 column; the first red value is then 2, and 3 in the last frame.
        let resolved = try TransformerPipeline([CutByRed(), CutByRed()]).resolved(
            forFirstFrame: picture, request: request)
        let later = Bitmap(9, 2) { _, _ in Color(red: 3, green: 0, blue: 0) }
        #expect(try resolved.transform(later, for: request).size.width == 6)
        #expect(resolved.identifier == "CutByRed()-CutByRed()")
    }

    @Test func onlyASingleThumbnailIsLeftToDecoding() {
        let thumbnail = Thumbnail.fit(180, 120)
        #expect(TransformerPipeline([ThumbnailTransformer(thumbnail)]).decodingThumbnail == thumbnail)
        #expect(TransformerPipeline([ThumbnailTransformer(thumbnail), .flip()]).decodingThumbnail == nil)
        #expect(TransformerPipeline([]).decodingThumbnail == nil)
    }
}
