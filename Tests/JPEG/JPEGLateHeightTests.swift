import DarkroomCore
@testable import DarkroomJPEG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Files whose height follows the first scan (DNL).
struct JPEGLateHeightTests {
    private var coder: JPEGCoder {
        var coder = JPEGCoder()
        coder.minimumBypassByteCount = 0
        return coder
    }

    private static let files = [
        "jpeg-420.jpg", "jpeg-restart.jpg", "jpeg-gray.jpg", "jpeg-progressive-420.jpg", "jpeg-cmyk.jpg",
    ]

    @Test(arguments: files, [nil, PixelSize(9, 5), PixelSize(4, 2), PixelSize(2, 1)])
    func heightAfterTheFirstScanIsRead(_ name: String, _ target: PixelSize?) throws {
        let whole = Fixture(name).data
        let data = try Self.withLateHeight(whole)
        #expect(try coder.info(of: data) == coder.info(of: whole))
        let expected = try coder.decode(request(whole, target))
        #expect(try coder.decode(request(data, target)) == expected)
        for step in [1, 33, data.count] {
            var decoder = try coder.makePreviewDecoder(request(data, target))
            for start in stride(from: 0, to: data.count, by: step) {
                _ = try decoder.append(Data(data.dropFirst(start).prefix(step)))
            }
            #expect(try decoder.finish() == expected)
        }
        // Other data before the file must not be changed.
        let slice = (Data([1, 2, 3]) + data).dropFirst(3)
        #expect(try coder.decode(request(slice, target)) == expected)
    }

    @Test(arguments: files)
    func headerIsIncompleteUntilTheHeight(_ name: String) throws {
        let data = try Self.withLateHeight(Fixture(name).data)
        let end = try #require(data.firstRange(of: Data([0xFF, 0xDC, 0, 4]))).upperBound + 2
        let scan = try #require(data.firstRange(of: Data([0xFF, 0xDA]))).upperBound
        for count in scan..<end {
            for part in [data.prefix(count), data.prefix(count) + [0xFF, 0xD9]] {
                let error = #expect(throws: ImageError.self) { try coder.info(of: Data(part)) }
                #expect(error?.kind == .incomplete, "\(count)")
            }
        }
        #expect(try coder.info(of: data.prefix(end)).storedSize == PixelSize(35, 21))
    }

    @Test(arguments: [
        Data([0xFF, 0xDC, 0, 4, 0, 0]), Data([0xFF, 0xDC, 0, 5, 0, 21, 0]), Data.segment(0xFE, Data(count: 9)),
    ])
    func anythingButAHeightIsCorrupt(_ segment: Data) throws {
        let data = try Self.withLateHeight(Fixture("jpeg-420.jpg").data, segment)
        let error = #expect(throws: ImageError.self) { try coder.info(of: data) }
        #expect(error?.kind == .corrupt)
    }

    private static func withLateHeight(
        _ data: Data, _ segment: Data = Data([0xFF, 0xDC, 0, 4, 0, 21])
    ) throws -> Data {
        let frame = data.firstRange(of: Data([0xFF, 0xC0])) ?? data.firstRange(of: Data([0xFF, 0xC2]))
        let height = try #require(frame).lowerBound + 5
        var file = data
        file[height] = 0
        file[height + 1] = 0
        let end = data.endOfFirstScan ?? data.count - 2
        file.insert(contentsOf: segment, at: end)
        return file
    }

    private func request(_ data: Data, _ target: PixelSize?) throws -> DecodeRequest {
        DecodeRequest(data: data, info: try coder.info(of: data), target: target)
    }
}
