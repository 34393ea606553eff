import DarkroomCore
import DarkroomPlatform

/// The pixels of the frames of one GIF, each decodable independently. One task owns it.
final class GIFFrames {
    private let data: Data
    private let outline: GIFOutline
    private let request: DecodeRequest

    /// Created for the first frame.
    private var decompressor: GIFDecompressor?

    /// Creates the frames of `data`, the file that `outline` was read from. `request` provides limits and cancellation.
    init(of data: Data, outline: GIFOutline, request: DecodeRequest) {
        self.data = data
        self.outline = outline
        self.request = request
    }

    /// Decodes the first frame on the logical screen. The area that the frame does not cover is transparent, as are pixels
    /// that are missing, which the metadata of the image tells.
    ///
    /// It throws if there is nothing to see at all, although the frame has data and is the only one.
    func first() throws -> Bitmap {
        let drawing = try draw(0, on: PixelRectangle(outline.size), hasAlpha: outline.hasAlpha)
        if outline.frames[0].area.isEmpty { request.note("the first frame of the GIF has no area") }
        if let defect = drawing.defect {
            guard drawing.pixelCount > 0 || defect == .ended || drawing.isEmpty || outline.shownFrames.count > 1 else {
                throw defect == .corrupt ? ImageError(.corrupt, .decode, "the GIF has a corrupt frame") : .truncatedGIF
            }
            let count = outline.frames[0].pixelCount
            request.noteIncomplete("the first frame of the GIF has only \(drawing.pixelCount) of \(count) pixels")
        }
        return drawing.bitmap
    }

    /// Decodes the pixels of the first frame that a truncated file contains; `nil` if there are none.
    func partOfFirst() throws -> Bitmap? {
        let drawing = try draw(0, on: PixelRectangle(outline.size), hasAlpha: true)
        return drawing.pixelCount > 0 ? drawing.bitmap : nil
    }

    /// Decodes the pixels of frame `index` that lie on the logical screen. Missing ones are transparent and noted, and the
    /// bitmap then has alpha.
    func patch(_ index: Int) throws -> Bitmap {
        let frame = outline.frames[index]
        let patch = frame.patch(on: outline.size)
        let drawing = try draw(index, on: patch.area, hasAlpha: patch.hasAlpha)
        if drawing.defect != nil {
            request.noteIncomplete(
                "frame \(index + 1) of the GIF has only \(drawing.pixelCount) of \(frame.pixelCount) pixels")
        }
        return drawing.bitmap
    }

    /// Returns the number of pixels of frame `index` that the file contains; 0 if there may not be as many as it has.
    func pixelCount(of index: Int) throws -> Int {
        let frame = outline.frames[index]
        guard !frame.area.isEmpty, frame.pixelCount <= request.context.limits.pixelCount else { return 0 }
        let reader = try reader(of: frame)
        var nothing: [UInt8] = []
        var pixels = nothing.mutableSpan
        _ = try reader.draw(
            on: &pixels, area: PixelRectangle(PixelSize(0, 0)), checkCancellation: request.checkCancellation)
        return reader.pixelCount
    }

    private func draw(_ index: Int, on area: PixelRectangle, hasAlpha: Bool) throws -> Drawing {
        let (frame, limits) = (outline.frames[index], request.context.limits)
        guard !frame.area.isEmpty else {
            return Drawing(bitmap: try Bitmap(area.size, hasAlpha: true, limits: limits) { _ in })
        }
        let reader = try reader(of: frame)
        let check = request.checkCancellation
        var defect: GIFDefect?
        let bitmap =
            if frame.area.clamped(to: outline.size) == area {
                // The palette has no colour under alpha 0, so the bitmap need not remove it.
                try Bitmap.uninitialized(area.size, hasAlpha: false, limits: limits) { pixels in
                    defect = try reader.draw(on: &pixels, area: area, checkCancellation: check)
                }
            } else {
                try Bitmap(area.size, hasAlpha: hasAlpha, limits: limits) { pixels in
                    defect = try reader.draw(on: &pixels, area: area, checkCancellation: check)
                }
            }
        return Drawing(
            bitmap: bitmap.with(alpha: hasAlpha || defect != nil), pixelCount: reader.pixelCount, defect: defect,
            isEmpty: reader.isEmpty)
    }

    private func reader(of frame: GIFFrame) throws -> GIFReader {
        // A frame may be far larger than the screen it is clipped to.
        let (pixelCount, bound) = (frame.pixelCount, request.context.limits.pixelCount)
        guard pixelCount <= bound else { throw ImageError.overLimit("pixelCount", value: pixelCount, bound: bound) }
        let decompressor = try decompressor ?? GIFDecompressor()
        self.decompressor = decompressor
        return GIFReader(data, frame: frame, decompressor: decompressor)
    }
}

/// The pixels of a frame, and what is missing of them.
private struct Drawing {
    let bitmap: Bitmap
    /// The number of pixels of the frame that the file contains.
    var pixelCount = 0
    /// Why pixels are missing.
    var defect: GIFDefect?
    /// Whether the frame has no data.
    var isEmpty = false
}
