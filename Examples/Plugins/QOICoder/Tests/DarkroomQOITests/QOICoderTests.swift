import DarkroomCore
import DarkroomPNG
import DarkroomQOI
import DarkroomTestKit
import Foundation
import Testing

private let folder = FixtureFolder(beside: #filePath)

struct QOICoderTests {
    private let contract = CoderContract(QOICoder())
    private let registry = CoderRegistry([QOICoder()])

    @Test(arguments: try folder.fixtures(withExtension: "qoi", references: PNGCoder()))
    func pixelsMatchFFmpegs(_ fixture: FixtureFolder.Fixture) throws {
        let bitmap = try registry.decode(fixture.data).bitmap
        #expect(bitmap.size == fixture.expected.size)
        #expect(bitmap.isAlike(fixture.expected))
    }

    @Test(arguments: try folder.fixtures(withExtension: "qoi", references: PNGCoder()))
    func coderMeetsTheContract(_ fixture: FixtureFolder.Fixture) throws {
        try contract.checkFile(fixture.data)
    }

    @Test func invalidFilesAreRefused() throws { try contract.checkRefusals() }

    @Test func encodingMeetsTheContract() throws { try contract.checkEncoding() }

    @Test func mutatedFilesAreHandled() throws {
        let seeds = try ["rgba.qoi", "noise.qoi", "wide.qoi"].map { try folder.data(of: $0) }
        let tally = try CoderFuzzer(QOICoder(), seeds: seeds).run(iterations: 1_000)
        #expect(tally.acceptedCount > 0 && tally.rejectedCount > 0)
    }

    @Test(arguments: try folder.fixtures(withExtension: "qoi", references: PNGCoder()))
    func encodedFilesAreDecodedAgain(_ fixture: FixtureFolder.Fixture) throws {
        try contract.checkRoundTrip(try registry.decode(fixture.data).bitmap, as: .qoi)
    }

    @Test(arguments: ["rgb.qoi", "noise.qoi", "black.qoi", "tall.qoi"])
    func encodedFilesMatchFFmpegs(_ name: String) throws {
        let fixture = try folder.fixture(name, references: PNGCoder())
        #expect(try registry.encode(registry.decode(fixture.data), as: .qoi) == fixture.data)
    }

    @Test func rowByRowDownsamplingEqualsResizing() throws {
        let fixture = try folder.fixture("rgba.qoi", references: PNGCoder())
        let size = PixelSize(7, 5)
        let request = DecodeRequest(data: fixture.data, info: try QOICoder().info(of: fixture.data), target: size)
        #expect(try QOICoder().decode(request) == registry.decode(fixture.data).bitmap.resized(to: size))
    }

    @Test func sizeBeyondTheBytesIsRefusedBeforeAllocation() throws {
        let data = file(width: 9000, height: 9000, pixels: [0xFD])
        #expect(throws: ImageError.self) { try registry.decode(data) }
        #expect(kind { try registry.decode(data) } == .incomplete)
        #expect(kind { try registry.decode(file(width: 0xFFFF_FFFF, height: 0xFFFF_FFFF)) } == .overLimit)
        #expect(kind { try registry.decode(file(width: 0, height: 5)) } == .corrupt)
    }

    @Test func invalidHeaderIsCorrupt() throws {
        #expect(kind { try registry.info(of: file(channels: 5)) } == .corrupt)
        #expect(kind { try registry.info(of: file(space: 2)) } == .corrupt)
        #expect(kind { try registry.info(of: file().prefix(13)) } == .incomplete)
    }

    @Test func linearColoursBecomeACalibration() throws {
        #expect(try registry.info(of: file(space: 1)).calibration == Calibration(exponent: 1))
        #expect(try registry.info(of: file(space: 0)).calibration == nil)
    }

    @Test func imageDeclaredOpaqueIsOpaque() throws {
        let data = file(width: 1, height: 1, channels: 3, pixels: [0xFF, 1, 2, 3, 4])
        let color = try registry.decode(data).bitmap.color(x: 0, y: 0)
        #expect(color == Color(red: 1, green: 2, blue: 3))
    }

    @Test func unsupportedImagesAreNotEncoded() throws {
        let bitmap = try folder.fixture("rgb.qoi", references: PNGCoder()).expected
        let animation = try #require(
            Image(frames: [Frame(bitmap, duration: .seconds(1)), Frame(bitmap, duration: .seconds(1))]))
        #expect(kind { try registry.encode(animation, as: .qoi) } == .unsupported)
        var profiled = Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
        profiled.metadata.iccProfile = Data(count: 16) + Data("RGB ".utf8)
        #expect(kind { try registry.encode(profiled, as: .qoi) } == .unsupported)
    }

    @Test func cancelledDecodeEnds() throws {
        let data = try folder.data(of: "rgb.qoi")
        let flag = CancellationFlag()
        let request = DecodeRequest(data: data, info: try QOICoder().info(of: data), cancellation: flag)
        flag.set()
        #expect(throws: ImageError.self) { try QOICoder().decode(request) }
    }

    private func file(
        width: UInt32 = 1, height: UInt32 = 1, channels: UInt8 = 4, space: UInt8 = 0, pixels: [UInt8] = [0xC0]
    ) -> Data {
        let sides = [width, height].flatMap { side in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: side >> $0) } }
        return Data("qoif".utf8) + Data(sides + [channels, space] + pixels + [0, 0, 0, 0, 0, 0, 0, 1])
    }
}

/// Returns the kind of the error that `body` throws; `nil` if it throws none.
private func kind(_ body: () throws -> Any) -> ImageError.Kind? {
    do {
        _ = try body()
        return nil
    } catch {
        return (error as? ImageError)?.kind
    }
}

extension Bitmap {
    /// Returns whether the pixels are equal, ignoring the alpha flags.
    fileprivate func isAlike(_ other: Bitmap) -> Bool {
        withPixels { left in other.withPixels { right in left.indices.allSatisfy { left[$0] == right[$0] } } }
    }
}
