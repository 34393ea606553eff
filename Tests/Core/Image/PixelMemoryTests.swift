import Testing

@testable import DarkroomCore

/// The memory of deallocated bitmaps is reused for those that are overwritten completely, and never visible before
/// that.
struct PixelMemoryTests {
    /// Large enough that its pages come from the system.
    private static let size = PixelSize(1200, 1000)

    private func leaveOldPixels() throws {
        for _ in 0..<3 {
            let bitmap = try Bitmap(Self.size, hasAlpha: false) { pixels in
                for index in pixels.indices { pixels[index] = 0xAA }
            }
            #expect(bitmap.byteCount == Self.size.width * Self.size.height * 4)
        }
    }

    @Test func unwrittenPixelsAreZero() throws {
        try leaveOldPixels()
        let bitmap = try Bitmap(Self.size, hasAlpha: true) { _ in }
        let isZero = bitmap.withPixels { pixels in pixels.indices.allSatisfy { pixels[$0] == 0 } }
        #expect(isZero)
    }

    @Test(.bug(id: "Fix crash where the system has no memory for a picture"))
    func failedAllocationIsAnError() {
        var limits = DecodeLimits()
        limits.decodedByteCount = .max
        // 64 TiB: half of what a process can address.
        let error = #expect(throws: ImageError.self) {
            try Bitmap(PixelSize(1 << 22, 1 << 22), hasAlpha: true, limits: limits) { _ in }
        }
        #expect(error?.kind == .overLimit)
        #expect(error?.message.contains("no memory") == true)
    }

    @Test func canvasShowsOnlyTheReceivedRows() throws {
        try leaveOldPixels()
        let canvas = try RowCanvas(Self.size, hasAlpha: false, limits: .default)
        canvas.append(atMost: 10) { pixels in
            for index in pixels.indices { pixels[index] = 0x55 }
            return 10
        }
        let end = Self.size.width * 10 * 4
        let isAsWritten = try canvas.preview().withPixels { pixels in
            pixels.indices.allSatisfy { pixels[$0] == ($0 < end ? 0x55 : 0) }
        }
        #expect(isAsWritten)
    }

    @Test func missingRowsOfAResizedImageAreZero() throws {
        try leaveOldPixels()
        let source = PixelSize(Self.size.width, 2 * Self.size.height)
        var resampler = try RowResampler(from: source, to: Self.size, hasAlpha: false)
        let row = [UInt8](repeating: 255, count: 4 * source.width)
        for _ in 0..<(source.height / 2) { resampler.append(row.span) }
        let images = (resampler.preview(), resampler.finish())
        for image in [images.0, images.1] {
            let (rowByteCount, rows) = (4 * Self.size.width, image.bytes)
            let (half, end) = (Self.size.height / 2 * rowByteCount, rows.count)
            #expect(rows[..<(half - 10 * rowByteCount)].allSatisfy { $0 == 255 })
            #expect(rows[(half + 10 * rowByteCount)..<end].allSatisfy { $0 == 0 })
        }
    }

    @Test func completelyWrittenPixelsDoNotDependOnThePreviousContents() throws {
        try leaveOldPixels()
        let bitmap = try Bitmap.uninitialized(Self.size, hasAlpha: true, limits: .default) { pixels in
            for index in pixels.indices { pixels[index] = UInt8(truncatingIfNeeded: index / 4 | 0x80) }
        }
        try leaveOldPixels()
        let isKept = bitmap.withPixels { pixels in
            pixels.indices.allSatisfy { pixels[$0] == UInt8(truncatingIfNeeded: $0 / 4 | 0x80) }
        }
        #expect(isKept)
    }

    @Test func pagesAreCachedUpToALimit() throws {
        for side in stride(from: 1100, to: 3000, by: 100) {
            var bitmaps: [Bitmap] = []
            for _ in 0..<6 { bitmaps.append(try Bitmap(PixelSize(side, side), hasAlpha: true) { _ in }) }
        }
        #expect(PixelMemory.cachedByteCount <= PixelMemory.cacheByteLimit)
    }
}
