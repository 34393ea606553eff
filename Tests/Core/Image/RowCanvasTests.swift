import TestSupport
import Testing

@testable import DarkroomCore

struct RowCanvasTests {
    private let size = PixelSize(3, 5)

    private func append(_ count: Int, of value: UInt8, to canvas: RowCanvas) {
        canvas.append(atMost: count) { pixels in
            for index in pixels.indices { pixels[index] = value }
            return pixels.count / (size.width * 4)
        }
    }

    @Test func missingRowsOfAPreviewAreTransparent() throws {
        let canvas = try RowCanvas(size, hasAlpha: false, limits: .default)
        append(2, of: 255, to: canvas)
        let expected = Bitmap(3, 5, hasAlpha: true) { _, y in
            Color(red: 255, green: 255, blue: 255, alpha: y < 2 ? 255 : 0)
        }
        let preview = try canvas.preview()
        let white = Bitmap(3, 5) { _, _ in .white }
        #expect(canvas.rowCount == 2 && preview.bytes[..<24] == white.bytes[..<24] && preview == expected)
    }

    @Test func deliveredPreviewDoesNotChange() throws {
        let canvas = try RowCanvas(size, hasAlpha: false, limits: .default)
        append(2, of: 255, to: canvas)
        let preview = try canvas.preview()
        let bytes = preview.bytes
        append(9, of: 255, to: canvas)
        #expect(preview.bytes == bytes && canvas.rowCount == 5)
        #expect(canvas.finish() == Bitmap(3, 5) { _, _ in .white })
    }

    @Test func resamplerShowsCompleteRows() throws {
        var resampler = try RowResampler(from: PixelSize(4, 40), to: PixelSize(2, 20), hasAlpha: false)
        let row = [UInt8](repeating: 255, count: 16)
        for _ in 0..<20 { resampler.append(row.span) }
        let preview = resampler.preview()
        let colors = (0..<20).map { preview.color(x: 0, y: $0) }
        #expect(preview.hasAlpha && colors.prefix(6).allSatisfy { $0 == .white })
        #expect(colors.suffix(10).allSatisfy { $0?.alpha == 0 })
        for _ in 0..<20 { resampler.append(row.span) }
        #expect(resampler.preview() == resampler.finish())
    }

    @Test func canvasBeyondTheLimitIsRefused() {
        var limits = DecodeLimits()
        limits.decodedByteCount = 59
        #expect(throws: ImageError.self) { try RowCanvas(size, hasAlpha: false, limits: limits) }
    }
}
