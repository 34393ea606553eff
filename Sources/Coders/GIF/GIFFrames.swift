import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The pixels of the frames of one GIF, each decodable independently. One task owns it.
final class GIFFrames {
    private let data: Data
    private let outline: GIFOutline
    private let request: DecodeRequest

    /// Created for the first frame.
    private var decompressor: GIFDecompressor?

    /// The error of decoding the first frame, if other frames are drawn on top of it.
    private var failure: (any Error)?

    /// Creates the frames of `data`, the file that `outline` was read from. `request` provides limits and cancellation.
    init(of data: Data, outline: GIFOutline, request: DecodeRequest) {
        self.data = data
        self.outline = outline
        self.request = request
    }

    /// Decodes the first frame on the logical screen. The area that the frame does not cover is transparent.
    func first() throws -> Bitmap {
        try draw(0, on: PixelRectangle(outline.size), hasAlpha: outline.hasAlpha)
    }

    /// Decodes the rows of the first frame that a truncated file contains; `nil` if there are none.
    func rowsOfFirst() throws -> Bitmap? {
        let reader = try reader(of: outline.frames[0])
        let bitmap = try Bitmap(outline.size, hasAlpha: true, limits: request.context.limits) { pixels in
            do {
                try reader.draw(
                    on: &pixels, area: PixelRectangle(outline.size), checkCancellation: request.checkCancellation)
            } catch let error as ImageError where error.kind == .incomplete {}
        }
        return reader.rowCount > 0 ? bitmap : nil
    }

    /// Decodes the pixels of frame `index` that lie on the logical screen.
    func patch(_ index: Int) throws -> Bitmap {
        if index > 0, let failure { throw failure }
        let patch = outline.frames[index].patch(on: outline.size)
        do {
            return try draw(index, on: patch.area, hasAlpha: patch.hasAlpha)
        } catch {
            if index == 0, outline.needsFirst { failure = error }
            throw error
        }
    }

    private func draw(_ index: Int, on area: PixelRectangle, hasAlpha: Bool) throws -> Bitmap {
        let (frame, limits) = (outline.frames[index], request.context.limits)
        let check = request.checkCancellation
        let reader = try reader(of: frame)
        guard frame.area.clamped(to: outline.size) == area else {
            return try Bitmap(area.size, hasAlpha: hasAlpha, limits: limits) { pixels in
                try reader.draw(on: &pixels, area: area, checkCancellation: check)
            }
        }
        // The palette has no colour under alpha 0, so the bitmap need not remove it.
        return try Bitmap.uninitialized(area.size, hasAlpha: false, limits: limits) { pixels in
            try reader.draw(on: &pixels, area: area, checkCancellation: check)
        }.with(alpha: hasAlpha)
    }

    private func reader(of frame: GIFFrame) throws -> GIFReader {
        // A frame may be far larger than the screen it is clipped to.
        let (pixelCount, bound) = (frame.area.width * frame.area.height, request.context.limits.pixelCount)
        guard pixelCount <= bound else { throw ImageError.overLimit("pixelCount", value: pixelCount, bound: bound) }
        let decompressor = try decompressor ?? GIFDecompressor()
        self.decompressor = decompressor
        return try GIFReader(data, frame: frame, decompressor: decompressor)
    }
}
