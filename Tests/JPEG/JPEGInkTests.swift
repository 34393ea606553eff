import DarkroomCore
import DarkroomJPEG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

struct JPEGInkTests {
    private let coder = JPEGCoder()

    @Test(arguments: ["jpeg-cmyk.jpg", "jpeg-ycck.jpg"], [nil, PixelSize(9, 5)])
    func inksAreConverted(_ name: String, _ target: PixelSize?) throws {
        let data = Fixture(name).data
        let plain = try decode(data, target: target, InkConverter { _ in nil })
        #expect(try decode(data, target: target, InkConverter { _ in Multiplication() }) == plain)
        let other = try decode(data, target: target, InkConverter { _ in FirstInk() })
        #expect(other != plain && !other.hasAlpha)
    }

    @Test func inksWithoutAdobeMarkerAreNotInverted() throws {
        let data = Fixture("jpeg-cmyk.jpg").data
        let marker = try #require(data.firstRange(of: Data("Adobe".utf8))).lowerBound
        let unmarked = data[..<marker] + Data("adobe".utf8) + data[(marker + 5)...]
        let (inks, complements) = try (
            decode(unmarked, target: nil, InkConverter { _ in FirstInk() }),
            decode(data, target: nil, InkConverter { _ in FirstInk() })
        )
        for (ink, complement) in zip(inks.bytes, complements.bytes) where ink != 255 || complement != 255 {
            #expect(ink == 255 - complement)
        }
    }

    @Test(arguments: ["jpeg-cmyk.jpg", "jpeg-ycck.jpg"], [nil, PixelSize(9, 5)])
    func inksAreConvertedProgressively(_ name: String, _ target: PixelSize?) throws {
        let data = Fixture(name).data
        let converter = InkConverter { _ in FirstInk() }
        var decoder = try coder.makePreviewDecoder(request(data, target: target, converter))
        for byte in data { _ = try decoder.append(Data([byte])) }
        #expect(try decoder.finish() == decode(data, target: target, converter))
    }

    @Test func unusableInkProfileIsIgnoredWithANote() throws {
        let data = Fixture("jpeg-cmyk.jpg").data
        let request = try request(
            data, target: nil, InkConverter { _ in throw ImageError(.corrupt, .decode, "it is broken") })
        #expect(try coder.decode(request) == decode(data, target: nil, InkConverter { _ in nil }))
        #expect(request.notes.count == 1)
    }

    @Test func rgbRowsAreConvertedByCore() throws {
        let data = Fixture("jpeg-444.jpg").data
        let request = try request(
            data, target: nil, InkConverter { _ in throw ImageError(.corrupt, .decode, "it is broken") })
        #expect(try coder.decode(request).size == PixelSize(35, 21) && request.notes.isEmpty)
    }

    private func request(_ data: Data, target: PixelSize?, _ converter: InkConverter) throws -> DecodeRequest {
        DecodeRequest(data: data, info: try coder.info(of: data), target: target, colorConverter: converter)
    }

    private func decode(_ data: Data, target: PixelSize?, _ converter: InkConverter) throws -> Bitmap {
        try coder.decode(request(data, target: target, converter))
    }
}

private struct InkConverter: ColorConverter {
    let conversion: @Sendable (ImageInfo) throws -> (any RowConversion)?

    func makeRowConversion(for info: ImageInfo) throws -> (any RowConversion)? { try conversion(info) }
}

/// The default conversion of the coder.
private struct Multiplication: RowConversion {
    func convert(_ pixels: inout MutableSpan<UInt8>) {
        for start in stride(from: 0, to: pixels.count, by: 4) {
            let key = 255 - Int(pixels[start + 3])
            for channel in start..<(start + 3) {
                pixels[channel] = UInt8(((255 - Int(pixels[channel])) * key + 127) / 255)
            }
            pixels[start + 3] = 255
        }
    }
}

/// Shows the amount of the first ink.
private struct FirstInk: RowConversion {
    func convert(_ pixels: inout MutableSpan<UInt8>) {
        for start in stride(from: 0, to: pixels.count, by: 4) {
            pixels[start + 1] = pixels[start]
            pixels[start + 2] = pixels[start]
            pixels[start + 3] = 255
        }
    }
}
