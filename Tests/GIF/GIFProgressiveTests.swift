import DarkroomCore
import DarkroomGIF
import FoundationEssentials
import TestSupport
import Testing

@Suite struct GIFProgressiveTests {
    private let coder = GIFCoder()

    /// Creates a decoder from the shortest prefix of `data` with a header.
    private func decoder(_ data: Data, _ context: ImageContext = .init()) throws -> any PreviewDecoder {
        for count in data.indices {
            let start = data.prefix(count)
            guard let info = try? coder.info(of: start) else { continue }
            return try coder.makePreviewDecoder(DecodeRequest(data: start, info: info, context: context))
        }
        throw ImageError.cancelled
    }

    @Test(arguments: Fixture.all(of: .gif), [1, 7, 1_000_000])
    func finishedImageEqualsThePlainDecode(_ fixture: Fixture, _ chunk: Int) throws {
        let data = fixture.data
        var decoder = try decoder(data)
        var previews: [Bitmap] = []
        for start in stride(from: 0, to: data.count, by: chunk) {
            if let preview = try decoder.append(data[start..<min(start + chunk, data.count)]) {
                previews.append(preview)
            }
        }
        let info = try coder.info(of: data)
        let plain = try coder.decode(DecodeRequest(data: data, info: info))
        #expect(previews.count == 1)
        #expect(previews[0].bytes == plain.bytes)
        #expect(try decoder.finish() == plain)
        #expect(decoder.frameDurations == info.frameDurations)
    }

    /// When its bytes have arrived, it is the only frame, without which there would be no image.
    @Test(arguments: [1, 7, 1_000_000])
    func corruptFirstFrameIsShownOnceThereAreOthers(_ chunk: Int) throws {
        let screen = PixelRectangle(PixelSize(2, 1))
        let data = GIFBuilder().frame(screen, blocks: [0xFF, 0xFF]).frame(screen, indices: [1, 1]).data
        var decoder = try decoder(data)
        for start in stride(from: 0, to: data.count, by: chunk) {
            _ = try decoder.append(data[start..<min(start + chunk, data.count)])
        }
        let plain = try coder.decode(DecodeRequest(data: data, info: coder.info(of: data)))
        #expect(try decoder.finish() == plain)
        #expect(decoder.frameDurations.count == 2)
    }

    @Test func firstFrameIsPreviewedWithItsLastByte() throws {
        let data = GIFBuilder().frame().frame().data
        let end = GIFBuilder().frame().data.count - 1
        var decoder = try decoder(data)
        #expect(try decoder.append(data.prefix(end - 1)) == nil)
        #expect(try decoder.append(data[(end - 1)..<end]) != nil)
        #expect(try decoder.append(data[end...]) == nil)
    }

    @Test func durationsGrowWithCompleteFrames() throws {
        let data = RandomGIF(seed: 5).data
        var decoder = try decoder(data)
        for index in data.indices {
            _ = try decoder.append(data[index...index])
            let info = try? coder.info(of: data.prefix(index + 1))
            // The header also counts a frame that is arriving.
            let arriving = (info?.frameDurations.count ?? 0) - decoder.frameDurations.count
            #expect(arriving <= (decoder.frameDurations.isEmpty ? 2 : 1), "\(index + 1) bytes")
            #expect(info?.frameDurations.starts(with: decoder.frameDurations) != false, "\(index + 1) bytes")
        }
    }

    @Test func alphaOfALaterFrameIsInTheFinishedImage() throws {
        let screen = PixelRectangle(x: 0, y: 0, width: 2, height: 1)
        let data = GIFBuilder().control(disposal: 2).frame(screen, indices: [0, 1])
            .control(transparentIndex: 1).frame(screen, indices: [0, 1]).data
        var decoder = try decoder(data)
        let split = GIFBuilder().control().frame().data.count - 1
        #expect(try decoder.append(data.prefix(split))?.hasAlpha == false)
        _ = try decoder.append(data.dropFirst(split))
        #expect(try decoder.finish() == coder.decode(DecodeRequest(data: data, info: coder.info(of: data))))
        #expect(try decoder.finish().hasAlpha)
    }

    @Test func firstFrameWithoutAPixelIsIncomplete() throws {
        let data = GIFBuilder().frame(indices: [0], width: 200).data.dropLast(4)
        var decoder = try decoder(data)
        #expect(try decoder.append(data) == nil)
        let error = #expect(throws: ImageError.self) { try decoder.finish() }
        #expect(error?.kind == .incomplete)
    }

    @Test func tooManyFramesAreRejectedWhileTheyArrive() throws {
        let data = GIFBuilder().frame().frame().frame().data
        var decoder = try decoder(data, ImageContext { $0.limits.frameCount = 2 })
        let error = #expect(throws: ImageError.self) { try decoder.append(data) }
        #expect(error?.kind == .overLimit)
    }

    @Test func cancelledLoadStops() throws {
        let data = GIFBuilder().frame().data
        let flag = CancellationFlag()
        flag.set()
        let request = DecodeRequest(data: data, info: try coder.info(of: data), cancellation: flag)
        var decoder = try coder.makePreviewDecoder(request)
        let error = #expect(throws: ImageError.self) { try decoder.append(data) }
        #expect(error?.kind == .cancelled)
    }
}
