import Darkroom
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

/// Pictures whose pixels did not change are copied instead of encoded again.
@Suite(.bounded)
struct CopiedFileTests {
    private static let formats: [ImageFormat] = [.png, .jpeg, .gif, .webp]
    private static let fixtures = formats.flatMap { Fixture.all(of: $0) }
    private static let url = URL(string: "http://example.com/a")!
    private let coders = CoderRegistry.standard

    private func stripped(_ data: Data) throws -> Data? {
        let info = try coders.info(of: data)
        return try coders.encoder(for: info.format)?.fileWithoutMetadata(InfoRequest(data: data))
    }

    private func manager(_ data: Data) throws -> ImageManager {
        try ImageManager {
            $0.install(StandardPlugins())
            $0.install(FakeLoader(data))
        }
    }

    private func encoded(_ data: Data, _ configure: (inout ImageContext) -> Void = { _ in }) async throws
        -> EncodedResult
    {
        try await manager(data).encoded(Self.url, context: ImageContext(configure))
    }

    private func frames(of image: Image) throws -> [Bitmap] {
        try image.animation.map { try $0.frames().map(\.bitmap) } ?? [image.bitmap]
    }

    @Test func everyFormatIsStripped() throws {
        for format in Self.formats {
            #expect(try Fixture.all(of: format).contains { try stripped($0.data) != nil }, "\(format)")
        }
    }

    @Test(arguments: fixtures)
    func strippedFileHasTheSamePixelsWithoutMetadata(_ fixture: Fixture) throws {
        guard let image = try? coders.decode(fixture.data, context: ImageContext { $0.keepsProfile = true }),
            image.metadata.notes.isEmpty, image.info.orientation == .up, let copy = try stripped(fixture.data)
        else { return }
        let shown = try coders.decode(copy, context: ImageContext { $0.keepsProfile = true })
        #expect(shown.metadata.notes.isEmpty && shown.metadata.iccProfile == image.metadata.iccProfile)
        #expect(try frames(of: shown) == frames(of: image))
        #expect(shown.info.frameDurations == image.info.frameDurations && shown.info.loopCount == image.info.loopCount)
        #expect(shown.info.exif == nil && shown.info.xmp == nil && shown.info.iptc == nil && shown.info.comments == [])
        #expect(copy.count <= fixture.data.count)
        #expect(try stripped(copy) == copy)
    }

    @Test(arguments: fixtures)
    func bytesBehindTheEndAreNotCopied(_ fixture: Fixture) throws {
        guard (try? coders.info(of: fixture.data)) != nil, let copy = try stripped(fixture.data) else { return }
        #expect(try stripped(fixture.data + Data("secret".utf8)) == copy)
    }

    /// No damage is worse than an error or a file that is encoded again.
    @Test(arguments: fixtures)
    func damagedFileIsNoLongerThanItself(_ fixture: Fixture) throws {
        var random = SeededGenerator(seed: UInt64(fixture.data.count))
        guard let coder = (try? coders.info(of: fixture.data)).flatMap({ coders.encoder(for: $0.format) }) else {
            return
        }
        for _ in 0..<50 {
            var data = Data(fixture.data.prefix(Int.random(in: 0...min(fixture.data.count, 5000), using: &random)))
            for _ in 0..<Int.random(in: 0...4, using: &random) where !data.isEmpty {
                data[Int.random(in: data.indices, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            let copy = try? coder.fileWithoutMetadata(InfoRequest(data: data))
            #expect(copy == nil || copy!.count <= data.count + 1, "a chunk may lack its padding")
        }
    }

    @Test(arguments: ["jpeg-420.jpg", "png-rgb-8.png", "jpeg-progressive-420.jpg"])
    func unchangedPictureIsNotEncodedAgain(_ name: String) async throws {
        let data = Fixture(name).data
        let result = try await encoded(data)
        #expect(try result.data == stripped(data))
        #expect(try await encoded(data) { $0.keepsMetadata = true }.data == data)
        // A thumbnail does not enlarge.
        #expect(try await encoded(data) { $0.thumbnail = .fit(5000, 5000) }.data == result.data)
        #expect(try await encoded(data) { $0.encodedByteLimit = data.count }.data == result.data)
    }

    @Test(
        arguments: [
            { $0.thumbnail = .fit(5, 5) }, { $0.transformers = [.greyscale] }, { $0.writesProgressiveJPEG = true },
            { $0.quality = 0.3 }, { $0.encoderQuality = 30 }, { $0.encodedSizeLimit = PixelSize(9, 9) },
            { $0.encodedByteLimit = 700 },
        ] as [@Sendable (inout ImageContext) -> Void])
    func changedOrRequestedPictureIsEncoded(_ change: @Sendable (inout ImageContext) -> Void) async throws {
        let data = Fixture("jpeg-420.jpg").data
        #expect(try await encoded(data, change).data != stripped(data))
    }

    @Test(arguments: ["jpeg-orientation-6.jpg", "jpeg-cmyk.jpg"])
    func pictureThatIsShownDifferentlyIsEncoded(_ name: String) async throws {
        let result = try await encoded(Fixture(name).data)
        let info = try coders.info(of: result.data)
        #expect(info.orientation == .up && info.colorModel == .rgb)
    }

    /// A higher quality adds nothing that the original has.
    @Test func qualityAboveThatOfTheSourceCopiesIt() async throws {
        let bitmap = Bitmap.testCard(60, 40)
        let image = Image(info: ImageInfo(format: .jpeg, storedSize: bitmap.size), bitmap: bitmap)
        let data = try coders.encode(image, as: .jpeg, context: ImageContext { $0.quality = 0.5 })
        let result = try await encoded(data) { $0.quality = 0.95 }
        #expect(result.data == data && result.file.notes.isEmpty)
    }

    /// A picture is not encoded again because some of its metadata is kept.
    @Test(arguments: formats)
    func copyHasOnlyTheKeptKindsOfMetadata(_ format: ImageFormat) async throws {
        // Only the orientation, and the copyright.
        let exif = Data(
            [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 2, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, 1, 0, 0, 0x82, 0x98, 0, 2, 0, 0, 0, 4]
                + Array("Ada\0".utf8) + [0, 0, 0, 0])
        let xmp = "<x:xmpmeta><rdf:RDF><rdf:Description dc:rights='Mine' xmp:Label='Dropped'/></rdf:RDF></x:xmpmeta>"
        for source in Fixture.all(of: format) {
            guard let plain = try? stripped(source.data), let image = try? coders.decode(plain),
                image.metadata.notes.isEmpty, image.info.colorModel != .cmyk, image.info.calibration == nil
            else { continue }
            var described = image.info
            (described.exif, described.xmp, described.comments) = (Exif(exif), XMP(Data(xmp.utf8)), ["a comment"])
            let request = EncodeRequest(
                image: Image(info: described, bitmap: image.bitmap, animation: image.animation), format: format,
                context: ImageContext { $0.keepsMetadata = true })
            let file = try #require(try coders.encoder(for: format)?.file(plain, withMetadataOf: request))
            let info = try coders.info(of: file)
            #expect(info.xmp?.data == Data(xmp.utf8) && info.exif == (format == .gif ? nil : Exif(exif)))
            #expect(info.comments == (format == .webp ? [] : ["a comment"]))
            #expect(try stripped(file).map { try coders.decode($0).bitmap } == coders.decode(plain).bitmap)
            let result = try await encoded(file) { $0.keptMetadata = .copyright }
            let kept = try coders.info(of: result.data)
            #expect(kept.comments.isEmpty && kept.xmp != nil && kept.exif?.data.count == (format == .gif ? nil : 26))
            #expect(result.data.count < file.count, "\(source)")
            let (shown, original) = (try coders.decode(result.data), try coders.decode(file))
            #expect(try frames(of: shown) == frames(of: original) && shown.metadata.notes.isEmpty)
            #expect(try await encoded(file) { $0.keptMetadata = .location }.data == encoded(file).data)
        }
    }

    @Test func copyDoesNotDependOnWhatIsInMemory() async throws {
        let directory = try TemporaryDirectory()
        let data = Fixture("jpeg-420.jpg").data
        let manager = try ImageManager.standard(cacheDirectory: directory.url) { $0.install(FakeLoader(data)) }
        _ = try await manager.load(Self.url, context: ImageContext { $0.waitsForStore = true })
        #expect(manager.cachedImage(for: Self.url) != nil)
        #expect(try await manager.encoded(Self.url).data == stripped(data))
    }

    /// A result on disk shows its own pixels as they are stored, which are not those of the original.
    @Test(arguments: ["jpeg-orientation-6.jpg", "png-rgb-8.png", "gif-animated.gif"])
    func storedResultIsNotReplacedByItsOriginal(_ name: String) async throws {
        let directory = try TemporaryDirectory()
        let data = Fixture(name).data
        let context = ImageContext {
            if name.hasSuffix("gif") { $0.usesFirstFrameOnly = true } else { $0.thumbnail = .fit(5, 5) }
            $0.waitsForStore = true
        }
        func manager() throws -> ImageManager {
            try ImageManager.standard(cacheDirectory: directory.url) { $0.install(FakeLoader(data)) }
        }
        let image = try await manager().load(Self.url, context: context).image
        let restarted = try manager()
        #expect(try await restarted.load(Self.url, context: context).origin == .disk)
        let file = try await restarted.encoded(Self.url, context: context)
        let shown = try coders.decode(file.data)
        #expect(shown.size == image.size && shown.info.frameCount == 1 && file.data != data)
        #expect(shown.bitmap.meanDifference(to: image.bitmap) < 32)
    }

    /// The image has the metadata of the loaded one, but not its pixels.
    @Test func imageOfTheAppIsEncoded() async throws {
        let directory = try TemporaryDirectory()
        let data = Fixture("jpeg-420.jpg").data
        let manager = try ImageManager.standard(cacheDirectory: directory.url) { $0.install(FakeLoader(data)) }
        let loaded = try await manager.load(Self.url).image
        let bitmap = Bitmap(loaded.size.width, loaded.size.height) { _, _ in .white }
        let image = Image(info: loaded.info, bitmap: bitmap, metadata: loaded.metadata)
        try await manager.store(image, for: Self.url, context: ImageContext())
        let shown = try coders.decode(try await manager.encoded(Self.url).data).bitmap
        #expect(shown.largestDifference(to: bitmap) <= 1)
    }

    @Test func largerFileNamesTheReason() async throws {
        let data = Fixture("jpeg-420.jpg").data
        let notes = try await manager(data).encoded(Self.url, as: .png).file.notes
        #expect(
            notes.count == 1
                && notes.first?.hasSuffix("its source only \(data.count): its format is png instead of jpeg") == true)
        #expect(try await encoded(data) { $0.quality = 0.3 }.file.notes.isEmpty)
    }
}
