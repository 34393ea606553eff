import DarkroomCore
import DarkroomPNG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct PNGDecodingTests {
    private let registry = CoderRegistry([PNGCoder()])
    private let contract = CoderContract(PNGCoder())

    @Test(arguments: Fixture.all(of: .png))
    func pixelsEqualThoseOfAnIndependentDecoder(_ fixture: Fixture) throws {
        let image = try registry.decode(fixture.data)
        #expect(try image.bitmap == fixture.expectedBitmap(hasAlpha: image.info.hasAlpha))
    }

    @Test(arguments: Fixture.all(of: .png))
    func coderContractHolds(_ fixture: Fixture) throws {
        try contract.checkFile(fixture.data)
    }

    @Test(arguments: ["png-rgb-8.png", "png-adam7-rgb-8.png", "png-palette-4-trns.png", "png-gray-16.png"])
    func missingRowsAreAnErrorOfKindIncomplete(_ name: String) throws {
        let data = Fixture(name).data
        for count in stride(from: 9, to: data.count - 40, by: 7) {
            let error = #expect(throws: ImageError.self) { try registry.decode(Data(data.prefix(count))) }
            #expect(error?.kind == .incomplete)
        }
    }

    @Test func missingEndMarkerIsTolerated() throws {
        let fixture = Fixture("png-rgb-8.png")
        let bitmap = try registry.decode(Data(fixture.data.dropLast(12))).bitmap
        #expect(try bitmap == fixture.expectedBitmap(hasAlpha: false))
    }

    @Test(arguments: ["png-orientation-6.png", "png-orientation-7.png"])
    func sliceOfDataIsDecoded(_ name: String) throws {
        let fixture = Fixture(name)
        let slice = (Data([1, 2, 3]) + fixture.data + Data([4])).dropFirst(3)
        #expect(try registry.decode(slice).bitmap == fixture.expectedBitmap(hasAlpha: false))
    }

    @Test(arguments: Fixture.all(of: .png), [PixelSize(7, 3), PixelSize(1, 1), PixelSize(2, 5)])
    func thumbnailFromRowsEqualsTheResizedImage(_ fixture: Fixture, _ target: PixelSize) throws {
        let info = try PNGCoder().info(of: fixture.data)
        let whole = try PNGCoder().decode(DecodeRequest(data: fixture.data, info: info))
        let small = try PNGCoder().decode(DecodeRequest(data: fixture.data, info: info, target: target))
        #expect(try small.resized(to: target) == whole.resized(to: target))
    }

    @Test func rowByRowDecodingGivesExactlyTheTarget() throws {
        #expect(try decodedSize("png-rgb-8.png", target: PixelSize(7, 3)) == PixelSize(7, 3))
        #expect(try decodedSize("png-rgb-8.png", target: PixelSize(99, 3)) == PixelSize(35, 21))
        #expect(try decodedSize("png-adam7-rgb-8.png", target: PixelSize(7, 3)) == PixelSize(35, 21))
    }

    private func decodedSize(_ name: String, target: PixelSize) throws -> PixelSize {
        let data = Fixture(name).data
        let info = try PNGCoder().info(of: data)
        return try PNGCoder().decode(DecodeRequest(data: data, info: info, target: target)).size
    }
}
