import Darkroom
import DarkroomTestKit
import Foundation
import TestSupport
import Testing

/// PNG files with 16 bits per channel and colours of their own.
@Suite(.bounded)
struct DeepColorTests {
    private let coders: CoderRegistry = {
        var coders = CoderRegistry([PNGCoder()])
        coders.colorConverter = LittleCMSConverter()
        return coders
    }()

    /// Sixteen columns of levels, the lowest of which have no difference in their upper bytes.
    private static let levels: [Int] = [0, 1, 3, 10, 20, 40, 60, 80, 100, 150, 200, 300, 1000, 5000, 30_000, 65_535]
    private static let size = PixelSize(levels.count, 3)

    enum Source: CaseIterable {
        case gamma, profile
    }

    /// Interlaced files are read by libpng, the others without it.
    @Test(arguments: [0, 2, 4, 6] as [UInt8], Source.allCases)
    func darkLevelsAreKept(_ colorType: UInt8, _ source: Source) throws {
        for isInterlaced in [false, true] {
            try check(Self.file(colorType, source, isInterlaced: isInterlaced))
        }
    }

    /// Checks the image, a thumbnail and the previews of a file.
    private func check(_ data: Data) throws {
        let image = try coders.decode(data)
        #expect(image.metadata.notes.isEmpty && image.metadata.iccProfile == nil)
        check(image.bitmap)
        // Columns are not mixed.
        let small = try coders.decode(data, context: ImageContext { $0.thumbnail = .stretch(16, 1) })
        check(small.bitmap)
        let request = DecodeRequest(
            data: data, info: image.info, colorConverter: coders.colorConverter)
        var decoder = try PNGCoder().makePreviewDecoder(request)
        for start in stride(from: 0, to: data.count, by: 50) {
            _ = try decoder.append(data.dropFirst(start).prefix(50))
        }
        #expect(try decoder.finish() == image.bitmap)
    }

    /// The preview decoder has converted rows before the file was complete.
    @Test(arguments: [0, 2] as [UInt8], Source.allCases)
    func imageAfterPreviewsIsConvertedOnce(_ colorType: UInt8, _ source: Source) async throws {
        let (data, gate) = (Self.file(colorType, source), Gate())
        let manager = try ImageManager {
            $0.install(StandardPlugins())
            $0.install(
                FakeLoader { _ in
                    let (chunks, stream) = AsyncThrowingStream<Data, any Error>.makeStream()
                    stream.yield(data.dropLast(60))
                    Task {
                        await gate.wait()
                        stream.yield(data.suffix(60))
                        stream.finish()
                    }
                    return LoadResponse(.chunks(chunks), expectedByteCount: data.count)
                })
        }
        let url = try #require(URL(string: "http://example.com/a"))
        var image: Image?
        for try await event in manager.events(for: url, context: ImageContext { $0.deliversPreviews = true }) {
            switch event {
            case .preview: gate.open()
            case .finished(let result): image = result.image
            default: break
            }
        }
        check(try #require(image).bitmap)
    }

    /// The frame decoder may deliver the bitmap of the image as its first frame.
    @Test(arguments: [0, 2] as [UInt8], Source.allCases)
    func framesAreConvertedOnce(_ colorType: UInt8, _ source: Source) throws {
        let image = try coders.decode(Self.file(colorType, source, isAnimated: true))
        let frames = try #require(image.animation).frames()
        #expect(frames.count == 2)
        for frame in frames { check(frame.bitmap) }
        check(image.bitmap)
    }

    @Test(arguments: [0, 2] as [UInt8])
    func filesWithoutColorsOfTheirOwnAreOnlyRounded(_ colorType: UInt8) throws {
        let bitmap = try coders.decode(Self.file(colorType, nil)).bitmap
        for (x, level) in Self.levels.enumerated() {
            #expect(bitmap.color(x: x, y: 1)?.red == UInt8((Double(level) / 257).rounded()))
        }
    }

    @Test func keptProfileIsNotApplied() throws {
        let data = Self.file(2, .profile)
        let image = try coders.decode(data, context: ImageContext { $0.keepsProfile = true })
        #expect(image.metadata.iccProfile != nil)
        #expect(image.bitmap.color(x: 13, y: 1)?.red == 19)
    }

    private func check(_ bitmap: Bitmap, _ location: SourceLocation = #_sourceLocation) {
        for (x, level) in Self.levels.enumerated() {
            let light = Double(level) / 65_535
            let exact = (light <= 0.0031308 ? light * 12.92 : 1.055 * pow(light, 1 / 2.4) - 0.055) * 255
            for y in 0..<bitmap.size.height {
                let color = bitmap.color(x: x, y: y)
                let found = [color?.red, color?.green, color?.blue].map { Double($0 ?? 99) }
                #expect(
                    found.allSatisfy { abs($0 - exact) < 0.6 }, "\(level) is \(found), not \(exact)",
                    sourceLocation: location)
            }
        }
    }

    /// Returns a file whose values are proportional to light, with these levels in each row and channel.
    private static func file(
        _ colorType: UInt8, _ source: Source?, isInterlaced: Bool = false, isAnimated: Bool = false
    ) -> Data {
        let channelCount = [0: 1, 2: 3, 4: 2, 6: 4][colorType] ?? 0
        func row(_ columns: [Int]) -> [UInt8] {
            [0]
                + columns.flatMap { x in
                    let level = [UInt8(levels[x] >> 8), UInt8(levels[x] & 255)]
                    let colors = (0..<(channelCount - 1 | 1)).flatMap { _ in level }
                    return colors + (channelCount % 2 == 0 ? [0xFF, 0xFF] : [])
                }
        }
        let passes = [(0, 8, 0, 8), (4, 8, 0, 8), (0, 4, 4, 8), (2, 4, 0, 4), (0, 2, 2, 4), (1, 2, 0, 2), (0, 1, 1, 2)]
        let rows = (isInterlaced ? passes : [(0, 1, 0, 1)]).flatMap { pass in
            stride(from: pass.2, to: size.height, by: pass.3).flatMap { _ in
                row(Array(stride(from: pass.0, to: size.width, by: pass.1)))
            }
        }
        var data = Data([0x89]) + Data("PNG\r\n\u{1A}\n".utf8)
        data += chunk(
            "IHDR", number(size.width) + number(size.height) + [16, colorType, 0, 0, isInterlaced ? 1 : 0])
        switch source {
        case .gamma: data += chunk("gAMA", number(100_000))
        case .profile:
            let curve = ProfileBuilder.gamma(1)
            let profile =
                colorType & 2 == 0
                ? ProfileBuilder.gray(curve: curve)
                : .rgb(
                    (0.43607, 0.22249, 0.01392), (0.38515, 0.71687, 0.09708), (0.14307, 0.06061, 0.71410), curve: curve)
            data += chunk("iCCP", Array("x\0\0".utf8) + stored(Array(profile.data)))
        case nil: break
        }
        guard isAnimated else { return data + chunk("IDAT", stored(rows)) + chunk("IEND", []) }
        let control = number(size.width) + number(size.height) + number(0) + number(0) + [0, 1, 0, 10, 0, 0]
        data += chunk("acTL", number(2) + number(0)) + chunk("fcTL", number(0) + control)
        data += chunk("IDAT", stored(rows)) + chunk("fcTL", number(1) + control)
        return data + chunk("fdAT", number(2) + stored(rows)) + chunk("IEND", [])
    }

    private static func number(_ number: Int) -> [UInt8] { ProfileBuilder.bigEndian(UInt32(number)) }

    private static func chunk(_ name: String, _ body: [UInt8]) -> Data {
        let named = Array(name.utf8) + body
        let checksum = ~named.reduce(~0) { (crc: UInt32, byte) in
            (0..<8).reduce(crc ^ UInt32(byte)) { rest, _ in rest & 1 == 1 ? rest >> 1 ^ 0xEDB8_8320 : rest >> 1 }
        }
        return Data(number(body.count) + named + ProfileBuilder.bigEndian(checksum))
    }

    /// Returns a zlib stream with one stored block.
    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        let counts = [count, ~count].flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }
        var (low, high): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            low = (low + UInt32(byte)) % 65_521
            high = (high + low) % 65_521
        }
        return [0x78, 0x01, 1] + counts + bytes + ProfileBuilder.bigEndian(high << 16 | low)
    }
}
