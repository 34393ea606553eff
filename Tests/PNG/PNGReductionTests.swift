import CPNG
import DarkroomCore
import DarkroomPNG
import DarkroomTestKit
import FoundationEssentials
import TestSupport
import Testing

@Suite struct PNGReductionTests {
    private let registry = CoderRegistry([PNGCoder()])

    private func encoded(_ image: Image, _ change: (inout ImageContext) -> Void) throws -> Data {
        try registry.encode(image, as: .png, context: ImageContext(change))
    }

    private func still(_ bitmap: Bitmap) -> Image {
        Image(info: ImageInfo(format: .png, storedSize: bitmap.size), bitmap: bitmap)
    }

    private static func picture(hasAlpha: Bool, offset: Int = 0) -> Bitmap {
        Bitmap(60, 45, hasAlpha: hasAlpha) { x, y in
            let alpha = !hasAlpha || x < 20 ? 255 : x < 30 ? 0 : 6 * (x - 30) + y / 2
            return Color(
                red: UInt8(x * 3 + offset), green: UInt8(y * 5), blue: UInt8((x * y + offset) % 100 + 50),
                alpha: UInt8(min(alpha, 255)))
        }
    }

    @Test(arguments: [2, 4, 16, 17, 100, 256], [false, true])
    func moreColorsAreReducedToAPalette(_ count: Int, _ hasAlpha: Bool) throws {
        let bitmap = Self.picture(hasAlpha: hasAlpha)
        let data = try encoded(still(bitmap)) { $0.pngColorCount = count }
        #expect(try encoded(still(bitmap)) { $0.pngColorCount = count } == data)
        #expect(data[25] == 3)
        #expect(data[24] == (count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8))
        let decoded = try registry.decode(data).bitmap
        #expect(Set(decoded.pixelColors).count <= count)
        #expect(decoded.hasAlpha == hasAlpha)
        if count <= 100 { #expect(try data.count < encoded(still(bitmap)) { _ in }.count) }
        for (color, other) in zip(bitmap.pixelColors, decoded.pixelColors) where [0, 255].contains(color.alpha) {
            #expect(color.alpha == other.alpha)
        }
        if count >= 100 { #expect(decoded.decibels(to: bitmap) > 24) }
    }

    @Test(arguments: [2, 5, 16, 200], [false, true])
    func fewerColorsAreStoredAsWithoutTheOption(_ count: Int, _ hasAlpha: Bool) throws {
        let bitmap = Bitmap(30, 20, hasAlpha: hasAlpha) { x, y in
            let index = (y * 30 + x) % count
            return Color(red: UInt8(index), green: 7, blue: 9, alpha: hasAlpha ? UInt8(index) : 255)
        }
        let lossless = try encoded(still(bitmap)) { _ in }
        #expect(try encoded(still(bitmap)) { $0.pngColorCount = count } == lossless)
        #expect(try encoded(still(bitmap)) { $0.pngColorCount = count - (count > 2 ? 1 : 0) } == lossless || count > 2)
    }

    @Test func ditheringHasAStrength() throws {
        let image = still(Self.picture(hasAlpha: false))
        let files = try [0, 0.5, 1].map { strength in
            try encoded(image) {
                $0.pngColorCount = 16
                $0.pngDithering = strength
            }
        }
        #expect(files[0].count < files[1].count && files[1].count < files[2].count)
    }

    @Test func animationHasOnePaletteAndDoesNotFlicker() throws {
        let frames = (0..<4).map { number in
            let picture = Self.picture(hasAlpha: true)
            let other = Self.picture(hasAlpha: true, offset: 20)
            return Bitmap(60, 45, hasAlpha: true) { x, y in
                let isMoving = (x / 10 + y / 10) % 4 == number
                return (isMoving ? other : picture).color(x: x, y: y) ?? .white
            }
        }
        let image = try #require(Image(frames: frames.map { Frame($0, duration: .milliseconds(50)) }))
        let data = try encoded(image) { $0.pngColorCount = 64 }
        #expect(data.ranges(of: Data("PLTE".utf8)).count == 1)
        let decoded = try #require(try registry.decode(data).animation).frames().map(\.bitmap)
        #expect(decoded.count == 4)
        #expect(Set(decoded.flatMap(\.pixelColors)).count <= 64)
        for (frame, picture) in zip(frames, decoded) { #expect(picture.decibels(to: frame) > 22) }
        for number in 1..<4 {
            let (old, new) = (frames[number - 1].pixelColors, frames[number].pixelColors)
            let (oldShown, newShown) = (decoded[number - 1].pixelColors, decoded[number].pixelColors)
            #expect(old.indices.allSatisfy { old[$0] != new[$0] || oldShown[$0] == newShown[$0] })
        }
    }

    @Test func colorCountIsLimitedByTheSizeOfTheFile() throws {
        let image = still(Self.picture(hasAlpha: true))
        func file(_ bound: Int?) throws -> Data {
            try encoded(image) {
                $0.pngColorCount = 256
                $0.encodedByteLimit = bound
            }
        }
        let best = try file(nil)
        #expect(try file(best.count) == best)
        let files = try [best.count - 1, best.count / 2, best.count / 4].map { bound in
            let data = try file(bound)
            #expect(data.count <= bound && data.count > bound / 3)
            return Set(try registry.decode(data).bitmap.pixelColors).count
        }
        #expect(files == files.sorted(by: >))
        // Nothing is small enough.
        #expect(Set(try registry.decode(file(10)).bitmap.pixelColors).count <= 2)
        // Lossless files have no bound.
        #expect(try encoded(image) { $0.encodedByteLimit = 10 } == encoded(image) { _ in })
    }

    @Test(arguments: [-1, 0, 1, 257]) func impossibleNumberOfColorsIsUnsupported(_ count: Int) throws {
        let error = #expect(throws: ImageError.self) {
            try registry.encode(
                still(Self.picture(hasAlpha: false)), as: .png, context: ImageContext { $0.pngColorCount = count })
        }
        #expect(error?.kind == .unsupported && error?.message.contains("context.pngColorCount") == true)
    }

    @Test(arguments: [-0.1, 1.1, .nan]) func impossibleDitheringIsUnsupported(_ strength: Double) throws {
        let error = #expect(throws: ImageError.self) {
            try registry.encode(
                still(Self.picture(hasAlpha: false)), as: .png, context: ImageContext { $0.pngDithering = strength })
        }
        #expect(error?.kind == .unsupported)
    }

    @Test func cancelledReductionStops() throws {
        let flag = CancellationFlag()
        flag.set()
        let error = #expect(throws: ImageError.self) {
            try registry.encode(
                still(Self.picture(hasAlpha: false)), as: .png, context: ImageContext { $0.pngColorCount = 16 },
                cancellation: flag)
        }
        #expect(error?.kind == .cancelled)
    }

    /// Of several portions, and of rows that end within a byte.
    @Test(arguments: [
        (2, PixelSize(13, 9)), (4, PixelSize(13, 9)), (16, PixelSize(13, 9)), (256, PixelSize(13, 9)),
        (16, PixelSize(9001, 1000)), (256, PixelSize(3001, 1500)),
    ])
    func indicesOfAnyDepthRoundTrip(_ count: Int, _ size: PixelSize) throws {
        let rows = (0..<7).map { y in (0..<size.width).map { x in UInt8((x * 7 + y * x / 3 + y) % count) } }
        let data = try Self.file(of: rows, size: size, colorCount: count)
        let decoded = try registry.decode(data).bitmap
        let words = rows.map { row in row.map { UInt32($0) | (255 - UInt32($0)) << 8 | 0xFF07_0000 } }
        for y in 0..<size.height {
            let row = unsafe decoded.withWords { unsafe Array($0[(y * size.width)..<((y + 1) * size.width)]) }
            guard row != words[y % 7] else { continue }
            Issue.record("row \(y) is wrong")
            return
        }
    }

    /// Returns a file with `rows`, one after the other, in a reduced palette.
    private static func file(of rows: [[UInt8]], size: PixelSize, colorCount: Int) throws -> Data {
        let writer = unsafe try #require(cpng_writer_create())
        defer { unsafe cpng_writer_destroy(writer) }
        let palette = (0..<colorCount).flatMap { index -> [UInt8] in [UInt8(index), UInt8(255 - index), 7, 255] }
        var header = unsafe cpng_written_header()
        unsafe header.width = UInt32(size.width)
        unsafe header.height = UInt32(size.height)
        unsafe header.color_type = Int32(CPNG_PALETTE)
        unsafe header.level = 1
        unsafe header.has_reduced_palette = 1
        unsafe header.byte_limit = .max
        let code = unsafe palette.withUnsafeBufferPointer { palette in
            unsafe header.palette = palette.baseAddress
            unsafe header.palette_count = Int32(colorCount)
            return unsafe cpng_write_header(writer, &header)
        }
        #expect(Int(code) == CPNG_OK)
        for y in 0..<size.height { #expect(Int(unsafe cpng_write_row(writer, rows[y % rows.count])) == CPNG_OK) }
        var (bytes, byteCount): (UnsafeMutablePointer<UInt8>?, Int) = (nil, 0)
        #expect(Int(unsafe cpng_finish(writer, &bytes, &byteCount)) == CPNG_OK)
        return unsafe Data(bytesNoCopy: try #require(bytes), count: byteCount, deallocator: .free)
    }
}

extension Bitmap {
    /// The colours of all pixels.
    fileprivate var pixelColors: [Color] {
        (0..<size.pixelCount).compactMap { color(x: $0 % size.width, y: $0 / size.width) }
    }
}
