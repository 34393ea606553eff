import DarkroomCore
import DarkroomJPEG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct JPEGLimitsTests {
    private let coder = JPEGCoder()

    @Test(arguments: [PixelSize(35, 21), PixelSize(2, 1)])
    func scansAreLimited(_ target: PixelSize) throws {
        let data = Fixture("jpeg-progressive-420.jpg").data
        var limits = DecodeLimits()
        limits.scanCount = 10
        #expect(throws: Never.self) { try decode(data, target: target, limits: limits) }
        limits.scanCount = 9
        let error = #expect(throws: ImageError.self) { try decode(data, target: target, limits: limits) }
        #expect(error?.kind == .overLimit && error?.message.contains("scanCount") == true)
    }

    @Test(arguments: [PixelSize(35, 21), PixelSize(2, 1)])
    func scanBombIsRejectedByTheDefaultLimit(_ target: PixelSize) {
        let data = Fixture("broken/jpeg-bomb-scans.jpg").data
        let error = #expect(throws: ImageError.self) { try decode(data, target: target) }
        #expect(error?.kind == .overLimit)
    }

    @Test(arguments: [
        ("jpeg-420.jpg", 35 * 21 * 4), ("jpeg-progressive-gray.jpg", 35 * 21 * 4 + 5 * 3 * 128),
        ("jpeg-progressive-420.jpg", 35 * 21 * 4 + (6 * 4 + 3 * 2 * 2) * 128),
    ])
    func coefficientsCountTowardsTheLimit(_ name: String, _ byteCount: Int) throws {
        var limits = DecodeLimits()
        limits.decodedByteCount = byteCount
        #expect(throws: Never.self) { try decode(Fixture(name).data, limits: limits) }
        limits.decodedByteCount -= 1
        let error = #expect(throws: ImageError.self) { try decode(Fixture(name).data, limits: limits) }
        #expect(error?.kind == .overLimit)
    }

    @Test func coefficientsCountForAThumbnail() throws {
        var limits = DecodeLimits()
        limits.decodedByteCount = 4000
        let target = PixelSize(2, 2)
        let bitmap = Bitmap.testCard(64, 48)
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        let files = try [false, true].map { isProgressive in
            try CoderRegistry([coder]).encode(
                image, as: .jpeg, context: ImageContext { $0.writesProgressiveJPEG = isProgressive })
        }
        #expect(throws: Never.self) { try decode(files[0], target: target, limits: limits) }
        let error = #expect(throws: ImageError.self) { try decode(files[1], target: target, limits: limits) }
        #expect(error?.kind == .overLimit)
    }

    @Test func contradictoryHeadersAreAnError() throws {
        let data = Fixture("jpeg-420.jpg").data
        var info = try coder.info(of: data)
        info.storedSize.width -= 1
        let error = #expect(throws: ImageError.self) { try coder.decode(DecodeRequest(data: data, info: info)) }
        #expect(error?.kind == .corrupt)
    }

    private func decode(_ data: Data, target: PixelSize? = nil, limits: DecodeLimits = .default) throws -> Bitmap {
        let request = DecodeRequest(
            data: data, info: try coder.info(of: data), target: target, context: ImageContext { $0.limits = limits })
        return try coder.decode(request)
    }
}
