import Darkroom
import TestSupport
import Testing

struct StandardCodersTests {
    @Test func standardRegistryIsThatOfTheStandardManager() throws {
        let manager = try ImageManager { $0.install(StandardPlugins()) }
        #expect(CoderRegistry.standard.coders.flatMap(\.formats) == manager.coders.coders.flatMap(\.formats))
        for format in [ImageFormat.png, .jpeg, .gif, .webp] {
            #expect(CoderRegistry.standard.encoder(for: format) != nil)
        }
    }

    @Test func colorsAreConverted() throws {
        let data = Fixture("png-icc.png").data
        let converted = try CoderRegistry.standard.decode(data)
        #expect(converted.metadata.iccProfile == nil)
        #expect(try CoderRegistry([PNGCoder()]).decode(data).metadata.iccProfile != nil)
    }

    /// The image is the first frame. While it is in use, the animation does not decode that again.
    @Test(.bug(id: "18.2"), arguments: AnimatedFixture.all)
    func animationBeginsWithTheImage(_ fixture: AnimatedFixture) throws {
        let image = try CoderRegistry.standard.decode(fixture.data)
        let expected = try CoderRegistry.standard.decode(fixture.data).animation?.frames().map(\.bitmap)
        guard image.info.frameCount > 1 else { return }
        let frames = try #require(try image.animation?.frames().map(\.bitmap))
        #expect(frames == expected)
        #expect(frames[0].isIdentical(to: image.bitmap))
    }

    /// A filled thumbnail is cropped after it was made upright, for stills and animations.
    @Test(arguments: [6, 8])
    func filledThumbnailIsThatOfTheUprightImage(orientation: Int) throws {
        let data = Fixture("png-orientation-\(orientation).png").data
        let whole = try CoderRegistry.standard.decode(data).bitmap
        let thumbnail = Thumbnail.cover(Double(whole.size.width), 3)
        let image = try CoderRegistry.standard.decode(data, context: ImageContext { $0.thumbnail = thumbnail })
        #expect(image.size == PixelSize(whole.size.width, 3))
        let expected = try ThumbnailTransformer(thumbnail).transform(whole, for: TransformRequest())
        #expect(image.bitmap == expected)
    }

    @Test func framesOfAnAnimationAreCropped() throws {
        let context = ImageContext { $0.thumbnail = .cover(5, 3) }
        let image = try CoderRegistry.standard.decode(Fixture("gif-animated.gif").data, context: context)
        let frames = try #require(try image.animation?.frames())
        #expect(frames.count > 1 && frames.allSatisfy { $0.bitmap.size == PixelSize(5, 3) })
        #expect(frames[0].bitmap == image.bitmap)
    }
}
