import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Thumbnails that cover their bounds and are cropped.
struct CoverThumbnailTests {
    /// A ramp, whose colours show where it was cropped.
    private static let ramp = Bitmap(24, 8) { x, y in Color(red: UInt8(x * 10), green: UInt8(y * 30), blue: 0) }

    /// The 4 columns in the centre of the 12 that remain of the ramp at half its size.
    private static func centre() throws -> Bitmap {
        let scaled = try ramp.resized(to: PixelSize(12, 4))
        return Bitmap(4, 4) { x, y in scaled.color(x: x + 4, y: y)! }
    }

    private let targets = Recorder<PixelSize>()

    private func manager(_ data: FakeDataCache = FakeDataCache()) throws -> ImageManager {
        try ImageManager {
            $0.install(FakeLoader(PlainCoder.file(of: Self.ramp)))
            $0.install(PlainCoder { [targets] in targets.note($0.target) })
            $0.imageCache = FakeImageCache()
            $0.dataCache = data
            $0.resultFormat = .plain
        }
    }

    private let fill = ImageContext {
        $0.thumbnail = .cover(4, 4)
        $0.waitsForStore = true
    }

    @Test func imageIsDecodedAtReducedSizeAndCroppedToItsCentre() async throws {
        let manager = try manager()
        let image = try await manager.load(Darkbox.url, context: fill).image
        #expect(targets.values == [PixelSize(12, 4)])
        #expect(image.size == PixelSize(4, 4) && image.metadata.thumbnail == .cover(4, 4))
        #expect(image.bitmap == (try Self.centre()))
    }

    @Test func resultHasAKeyOfItsOwnInBothCaches() async throws {
        let data = FakeDataCache()
        let manager = try manager(data)
        let first = try await manager.load(Darkbox.url, context: fill)
        #expect(first.key?.variant == ["Thumbnail({4.000000,4.000000},cover)"])
        #expect(data.keys == [try #require(first.key), try #require(first.key).original])
        #expect(try await manager.load(Darkbox.url, context: fill).origin == .memory)
        let restarted = try await self.manager(data).load(Darkbox.url, context: fill)
        #expect(restarted.origin == .disk && restarted.image.bitmap == first.image.bitmap)
        let fit = try await manager.load(Darkbox.url, context: ImageContext { $0.thumbnail = .fit(4, 4) })
        #expect(fit.image.size == PixelSize(4, 2))
    }

    @Test func severalSizesOfOneCallMayBeFilled() async throws {
        let contexts = [fill, ImageContext(), ImageContext { $0.thumbnail = .fit(12, 4) }]
        let results = try await manager().load(Darkbox.url, contexts: contexts).map { try $0.get().image }
        #expect(results.map(\.size) == [PixelSize(4, 4), PixelSize(24, 8), PixelSize(12, 4)])
        #expect(targets.values == [PixelSize(24, 8)], "all are made from one decode")
        #expect(results[0].bitmap == (try Self.centre()))
    }

    @Test(arguments: [(Thumbnail.Focus.left, 0), (.right, 8), (.init(x: 0.3, y: 0.5), 1), (.top, 4)])
    func croppedPartIsAroundTheFocus(focus: Thumbnail.Focus, x: Int) async throws {
        let scaled = try Self.ramp.resized(to: PixelSize(12, 4))
        let expected = Bitmap(4, 4) { scaled.color(x: $0 + x, y: $1)! }
        let context = ImageContext { $0.thumbnail = .cover(4, 4, focus: focus) }
        #expect(try await manager().load(Darkbox.url, context: context).image.bitmap == expected)
        let results = try await manager().load(Darkbox.url, contexts: [ImageContext(), context]).map { try $0.get() }
        #expect(results[1].image.bitmap == expected, "made from the full size")
    }

    @Test func linearLightIsBlendedWhileDecoding() async throws {
        let board = Bitmap(24, 8) { x, y in (x + y).isMultiple(of: 2) ? .white : Color(red: 0, green: 0, blue: 0) }
        for (thumbnail, grey) in [(Thumbnail.fit(12, 4), 125...130), (.fit(12, 4, inLinearLight: true), 186...190)] {
            let manager = try ImageManager {
                $0.install(FakeLoader(PlainCoder.file(of: board)))
                $0.install(PlainCoder())
            }
            let sized = ImageContext { $0.thumbnail = thumbnail }
            let alone = try await manager.load(Darkbox.url, context: sized).image.bitmap
            #expect(grey.contains(Int(alone.color(x: 6, y: 2)!.green)))
            #expect(
                try await manager.load(Darkbox.url, contexts: [ImageContext(), sized])[1].get().image.bitmap == alone)
        }
    }

    @Test func readyImageOfALoaderIsCropped() async throws {
        let image = Image(info: ImageInfo(format: .plain, storedSize: Self.ramp.size), bitmap: Self.ramp)
        let manager = try ImageManager { $0.install(FakeLoader { _ in LoadResponse(.image(image)) }) }
        let result = try await manager.load(Darkbox.url, context: fill).image
        #expect(result.bitmap == (try Self.centre()))
    }
}
