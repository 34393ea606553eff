import DarkroomCore
import DarkroomJPEG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct JPEGDecodingTests {
    private let registry = CoderRegistry([JPEGCoder()])
    private let contract = CoderContract(JPEGCoder())

    @Test(arguments: Fixture.all(of: .jpeg))
    func pixelsEqualThoseOfAnIndependentDecoder(_ fixture: Fixture) throws {
        #expect(try registry.decode(fixture.data).bitmap == fixture.expectedBitmap(hasAlpha: false))
    }

    @Test(arguments: Fixture.all(of: .jpeg))
    func coderContractHolds(_ fixture: Fixture) throws {
        try contract.checkFile(fixture.data)
    }

    @Test func inksWithoutAdobeMarkerAreComplementsToo() throws {
        let fixture = Fixture("jpeg-cmyk.jpg")
        let marker = try #require(fixture.data.firstRange(of: Data("Adobe".utf8))).lowerBound
        let plain = fixture.data[..<marker] + Data("adobe".utf8) + fixture.data[(marker + 5)...]
        #expect(try registry.decode(plain).bitmap == fixture.expectedBitmap(hasAlpha: false))
    }

    @Test(arguments: ["jpeg-420.jpg", "jpeg-444.jpg", "jpeg-restart.jpg", "jpeg-gray.jpg", "jpeg-cmyk.jpg"])
    func missingRowsAreAnErrorOfKindIncomplete(_ name: String) throws {
        let data = Fixture(name).data
        for count in 0..<(data.count - 3) {
            let error = #expect(throws: ImageError.self) { try registry.decode(Data(data.prefix(count))) }
            #expect(error?.kind == (count == 0 ? .corrupt : count < 3 ? .noCoder : .incomplete))
        }
    }

    @Test(arguments: Fixture.all(of: .jpeg))
    func missingEndMarkerIsTolerated(_ fixture: Fixture) throws {
        let bitmap = try registry.decode(Data(fixture.data.dropLast(2))).bitmap
        #expect(try bitmap == fixture.expectedBitmap(hasAlpha: false))
    }

    @Test(arguments: ["jpeg-progressive-420.jpg", "jpeg-progressive-444.jpg", "jpeg-progressive-gray.jpg"])
    func oneCompleteScanOfSeveralIsAnImage(_ name: String) throws {
        let data = Fixture(name).data
        let end = try #require(data.endOfFirstScan)
        for count in 3..<(end - 3) {
            let error = #expect(throws: ImageError.self) { try registry.decode(Data(data.prefix(count))) }
            #expect(error?.kind == .incomplete)
        }
        for count in end..<data.count {
            #expect(try registry.decode(Data(data.prefix(count))).size == PixelSize(35, 21))
        }
    }

    @Test func damageInsideAFileIsTolerated() throws {
        let fixture = Fixture("jpeg-restart.jpg")
        var data = fixture.data
        // The third segment is intact, so that the data do not end too early.
        let restart = try #require(data.firstRange(of: Data([0xFF, 0xD1]))).lowerBound
        for index in (restart - 12)..<(restart - 4) { data[index] = 0x55 }
        let (bitmap, whole) = (try registry.decode(data).bitmap, try fixture.expectedBitmap(hasAlpha: false))
        // Of the first two blocks, which the first segment has.
        let firstRow = 0..<(30 * 4)
        #expect(bitmap != whole && bitmap.bytes[firstRow] == whole.bytes[firstRow])
    }

    @Test(arguments: [
        "bad-components", "bad-huffman", "bad-precision", "bomb-scans", "bomb-size", "empty", "garbage", "no-frame",
        "no-scan", "truncated-header", "truncated", "zero-size",
    ])
    func brokenFileIsAnError(_ name: String) {
        let data = Fixture("broken/jpeg-\(name).jpg").data
        let error = #expect(throws: ImageError.self) { try registry.decode(data) }
        #expect(error?.kind != .internal && error?.stage == .decode)
    }

    @Test(arguments: ["jpeg-420.jpg", "jpeg-progressive-444.jpg", "jpeg-ycck.jpg"], [0, 1, 2, 3])
    func damagedBytesGiveAnErrorOrAnImage(_ name: String, _ seed: UInt64) {
        let whole = Fixture(name).data
        var random = SeededGenerator(seed: seed)
        for _ in 0..<100 {
            var data = whole
            for _ in 0..<4 {
                data[Int.random(in: 2..<data.count, using: &random)] = .random(in: 0...255, using: &random)
            }
            expectErrorOrPicture(data, nil)
            expectErrorOrPicture(data, .fit(2, 2))
        }
    }

    @Test(arguments: Fixture.all(of: .jpeg))
    func everyPrefixGivesAnErrorOrAThumbnail(_ fixture: Fixture) {
        let data = fixture.data
        for count in data.indices { expectErrorOrPicture(Data(data.prefix(count)), .fit(2, 2)) }
    }

    @Test func sliceOfDataIsDecoded() throws {
        let fixture = Fixture("jpeg-icc.jpg")
        let slice = (Data([1, 2, 3]) + fixture.data + Data([4])).dropFirst(3)
        let image = try registry.decode(slice)
        #expect(try image.bitmap == fixture.expectedBitmap(hasAlpha: false))
        #expect(try image.info == JPEGCoder().info(of: fixture.data))
    }

    private func expectErrorOrPicture(_ data: Data, _ thumbnail: Thumbnail?) {
        do {
            _ = try registry.decode(data, context: ImageContext { $0.thumbnail = thumbnail })
        } catch {
            #expect(error.kind != .internal)
        }
    }
}
