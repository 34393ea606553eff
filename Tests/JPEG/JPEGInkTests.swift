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

    /// A file by Pillow 13 of 32×32 pixels, all with inks of 12, 38, 253 and 30 of 255. Adobe's marker follows SOI.
    private static var flat: Data {
        Data(
            base64Encoded: """
                /9j/7gAOQWRvYmUAZAAAAAAA/9sAQwABAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEB
                AQEBAQEBAQEB/8AAFAgAIAAgBEMRAE0RAFkRAEsRAP/EABUAAQEAAAAAAAAAAAAAAAAAAAAK/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/a
                AA4EQwBNAFkASwAAPwC5hWQgPWEAAAAAAAAAAAAAAAAAAAAP/9k=
                """, options: .ignoreUnknownCharacters)!
    }

    /// The transform of Adobe's marker, or `nil` without one, and what Pillow shows: as RGB, and as the first three inks.
    struct Marker: CustomTestStringConvertible {
        let transform: UInt8?
        let rgb: [UInt8]
        let inks: [UInt8]

        var testDescription: String { transform.map { "Adobe's transform \($0)" } ?? "no marker of Adobe" }

        func applied(to file: Data) -> Data {
            // The marker is the first segment, of 16 bytes.
            transform.map { file[..<17] + [$0] + file[18...] } ?? file[..<2] + file[18...]
        }
    }

    private static let markers = [
        Marker(transform: nil, rgb: [214, 191, 2], inks: [12, 38, 253]),
        Marker(transform: 0, rgb: [214, 191, 2], inks: [12, 38, 253]),
        Marker(transform: 1, rgb: [167, 0, 0], inks: [66, 255, 255]),
        Marker(transform: 2, rgb: [167, 0, 0], inks: [66, 255, 255]),
    ]

    /// The targets are decoded at one, two, four, five, six and eight eighths of the size.
    @Test(arguments: markers, [2, 4, 8, 10, 12, 32])
    func inksAreThoseOfPillow(_ marker: Marker, _ side: Int) throws {
        let target = PixelSize(side, side)
        let plain = marker.applied(to: Self.flat)
        let profiled = plain.inserting(.profilePart(1, of: 1, "a profile"), before: 0xDB)
        #expect(try coder.info(of: profiled).iccProfile != nil && coder.info(of: plain).iccProfile == nil)
        for data in [plain, profiled] {
            // Without a conversion, and with one that shows the inks.
            for (converter, expected) in [
                (InkConverter { _ in nil }, marker.rgb), (InkConverter { _ in ThreeInks() }, marker.inks),
            ] {
                let bitmap = try decode(data, target: target, converter)
                #expect(bitmap.size == target)
                for (index, byte) in bitmap.bytes.enumerated() where index % 4 < 3 {
                    #expect(abs(Int(byte) - Int(expected[index % 4])) <= 1)
                }
                var decoder = try coder.makePreviewDecoder(request(data, target: target, converter))
                for start in stride(from: 0, to: data.count, by: 10) {
                    _ = try decoder.append(Data(data.dropFirst(start).prefix(10)))
                }
                #expect(try decoder.finish() == bitmap)
            }
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

/// Shows the amounts of all inks but black.
private struct ThreeInks: RowConversion {
    func convert(_ pixels: inout MutableSpan<UInt8>) {
        for start in stride(from: 0, to: pixels.count, by: 4) { pixels[start + 3] = 255 }
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
