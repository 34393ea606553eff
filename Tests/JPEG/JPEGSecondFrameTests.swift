import DarkroomCore
import DarkroomJPEG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// A second frame header, of which libjpeg reads the first bytes before it rejects it.
struct JPEGSecondFrameTests {
    private let coder = JPEGCoder()

    private static let files = ["jpeg-progressive-420.jpg", "jpeg-progressive-444.jpg", "jpeg-progressive-gray.jpg"]

    /// The last one is at an eighth of the size, where scans are dropped and libjpeg reads from a buffer.
    private static let targets: [PixelSize?] = [nil, PixelSize(9, 5), PixelSize(2, 1)]

    @Test(arguments: files, targets)
    func startOfASecondFrameHeaderChangesNoPixel(_ name: String, _ target: PixelSize?) throws {
        let data = Fixture(name).data
        let end = try #require(data.endOfFirstScan)
        let frame = try #require(data.firstRange(of: Data([0xFF, 0xC2]))).lowerBound
        // With ten bytes, libjpeg would reject it.
        for (index, code) in [UInt8](arrayLiteral: 0xC0, 0xC1, 0xC2, 0xC9, 0xCA).enumerated() {
            for count in 4...9 {
                // Other sizes and numbers of components than those of the file.
                let body = data[(frame + 2)..<(frame + 5)] + Data(repeating: UInt8(0x11 + 0x31 * index), count: 20)
                let part = data[..<end] + (Data([0xFF, code]) + body).prefix(count)
                let whole = try coder.decode(request(Data(data[..<end]), target))
                #expect(try coder.decode(request(Data(part), target)) == whole, "\(code), \(count) bytes")
                for step in [1, 7, part.count] {
                    let fed = try feed(Data(part), in: step, target)
                    #expect(fed == whole, "\(code), \(count) bytes in steps of \(step)")
                }
            }
        }
    }

    /// The first bytes make libjpeg believe that the file is not progressive, so that it would not be read from a buffer.
    @Test(arguments: files, [1, 5])
    func startOfASecondFrameHeaderAfterLongSegmentsEndsInTheSamePreview(_ name: String, _ commentCount: Int) throws {
        let data = Fixture(name).data
        let end = try #require(data.endOfFirstScan)
        var decoder = try coder.makePreviewDecoder(request(data, PixelSize(2, 1)))
        _ = try decoder.append(Data(data[..<end]))
        // They make the buffer so large that it is far away from the bytes that were lent first.
        let comments = [Data](repeating: .segment(0xFE, Data(count: 65_000)), count: commentCount).joined()
        let preview = try decoder.append(Data(comments) + Data([0xFF, 0xC0, 0, 0]))
        let whole = try coder.decode(request(Data(data[..<end]), PixelSize(2, 1)))
        #expect(try preview == nil && decoder.finish() == whole)
    }

    private func request(_ data: Data, _ target: PixelSize?) throws -> DecodeRequest {
        DecodeRequest(data: data, info: try coder.info(of: data), target: target)
    }

    private func feed(_ data: Data, in step: Int, _ target: PixelSize?) throws -> Bitmap {
        var decoder = try coder.makePreviewDecoder(request(data, target))
        for start in stride(from: 0, to: data.count, by: step) {
            _ = try decoder.append(Data(data.dropFirst(start).prefix(step)))
        }
        return try decoder.finish()
    }
}
