import DarkroomCore
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct ColorConversionTests {
    private let bitmap = Bitmap(4, 2, hasAlpha: true) { x, y in
        Color(red: UInt8(10 * x), green: UInt8(10 * y), blue: 7, alpha: 128)
    }

    private func registry(_ converter: Inverting?, model: ImageInfo.ColorModel = .rgb) -> CoderRegistry {
        var registry = CoderRegistry([ProfiledCoder(model: model)])
        registry.colorConverter = converter
        return registry
    }

    @Test func pixelsBecomeSRGBAtTheDeliveredSize() throws {
        let image = try registry(Inverting()).decode(
            PlainCoder.file(of: bitmap), context: ImageContext { $0.thumbnail = .fit(2, 2) })
        #expect(image.size == PixelSize(2, 1))
        #expect(image.bitmap.color(x: 0, y: 0)?.blue == 248 && image.bitmap.color(x: 0, y: 0)?.alpha == 128)
        #expect(image.metadata.iccProfile == nil && image.metadata.notes.isEmpty)
    }

    @Test func profileIsDeliveredWithUnconvertedPixels() throws {
        let context = ImageContext { $0.keepsProfile = true }
        let image = try registry(Inverting()).decode(PlainCoder.file(of: bitmap), context: context)
        #expect(image.bitmap == bitmap && image.metadata.iccProfile == ProfiledCoder.profile)
        #expect(try registry(nil).decode(PlainCoder.file(of: bitmap)).metadata.iccProfile == ProfiledCoder.profile)
    }

    @Test func grayIsConvertedEvenIfProfilesArePreserved() throws {
        let context = ImageContext { $0.keepsProfile = true }
        let image = try registry(Inverting(), model: .gray).decode(PlainCoder.file(of: bitmap), context: context)
        #expect(image.bitmap.color(x: 0, y: 0)?.blue == 248)
    }

    @Test func cmykIsLeftToTheCoder() throws {
        let image = try registry(Inverting(), model: .cmyk).decode(PlainCoder.file(of: bitmap))
        #expect(image.bitmap == bitmap && image.metadata.iccProfile == nil)
    }

    @Test func invalidProfileIsIgnoredWithANote() throws {
        let image = try registry(Inverting(isBroken: true)).decode(PlainCoder.file(of: bitmap))
        #expect(image.bitmap == bitmap && image.metadata.iccProfile == nil)
        #expect(image.metadata.notes == ["the colour profile is ignored: it is broken"])
    }
}

/// A coder whose images have a profile.
private struct ProfiledCoder: ImageCoder {
    static var profile: Data { Data([1, 2, 3]) }

    let model: ImageInfo.ColorModel

    var formats: [ImageFormat] { [.plain] }

    func info(of request: InfoRequest) throws -> ImageInfo {
        var info = try PlainCoder().info(of: request)
        info.iccProfile = Self.profile
        info.colorModel = model
        return info
    }

    func decode(_ request: DecodeRequest) throws -> Bitmap { try PlainCoder().decode(request) }
}

/// A converter that inverts all colours.
private struct Inverting: ColorConverter, RowConversion {
    var isBroken = false

    func makeRowConversion(for info: ImageInfo) throws -> (any RowConversion)? {
        guard !isBroken else { throw ImageError(.corrupt, .decode, "it is broken") }
        return info.iccProfile == nil ? nil : self
    }

    func convert(_ pixels: inout MutableSpan<UInt8>) {
        for index in pixels.indices where index % 4 < 3 { pixels[index] = 255 - pixels[index] }
    }
}
