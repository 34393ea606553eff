import DarkroomCore
import DarkroomPlatform
import DarkroomQuantizing

/// Encodes one GIF file.
struct GIFEncoder {
    private let request: EncodeRequest
    private let reduction: GIFReduction
    private let size: PixelSize

    /// Creates an encoder. Throws if the image is too large for the format.
    init(_ request: EncodeRequest, reduction: GIFReduction) throws {
        self.request = request
        self.reduction = reduction
        size = request.image.bitmap.size
        guard max(size.width, size.height) <= 65_535 else {
            throw ImageError(.unsupported, .encode, "a GIF cannot have \(size) pixels, only 65535 per side")
        }
    }

    /// Returns the encoded file: a still image if there is only one frame.
    func data() throws -> Data {
        guard let animation = request.framesToEncode else { return try still() }
        return try self.animation(animation)
    }

    private func still() throws -> Data {
        var patch = patch(request.image.bitmap)
        let indexer = try GIFIndexer(&patch, reduction: reduction)
        let writer = try GIFWriter(size, palette: indexer.palette, request: request)
        try writer.writeMetadata(of: request)
        if let index = indexer.palette.transparentIndex { try writer.writeControl(transparentIndex: index) }
        try write(patch, indexer: indexer, to: writer)
        return try writer.finish()
    }

    private func animation(_ animation: Animation) throws -> Data {
        let palette = try commonPalette(of: animation)
        let writer = try GIFWriter(size, palette: palette, request: request)
        // Without a loop count, an animation plays once.
        if animation.loopCount != 1 { try writer.writeLoopCount(UInt16(clamping: animation.loopCount)) }
        try writer.writeMetadata(of: request)
        // The disposal of a frame depends on the next frame.
        var (last, screen): (TimedFrame?, Bitmap?)
        var delays = DurationRounding(ticksPerSecond: 100)
        try request.forEachFrame { frame in
            try check(frame)
            if let last { screen = try write(last, on: screen, before: frame.bitmap, to: writer) }
            // Decoders replace less than two hundredths with ten.
            last = TimedFrame(bitmap: frame.bitmap, delay: delays.ticks(for: frame.duration, in: 2...65_535))
        }
        if let last { _ = try write(last, on: screen, before: nil, to: writer) }
        return try writer.finish()
    }

    /// Returns the colours of all frames including the transparent one, or `nil` if one palette cannot hold them.
    private func commonPalette(of animation: Animation) throws -> ColorTable? {
        var palette = ColorTable(capacity: reduction.colorCount)
        palette.insert(.transparent)
        var decoder = try animation.makeFrameDecoder()
        while let frame = try decoder.nextFrame() {
            try check(frame)
            guard try palette.insert(colorsOf: patch(frame.bitmap)) else { return nil }
        }
        return palette
    }

    /// Writes `frame`, and returns the screen that the next frame is drawn on.
    private func write(
        _ frame: TimedFrame, on screen: Bitmap?, before next: Bitmap?, to writer: GIFWriter
    ) throws -> Bitmap {
        // Compared with what pixels were when they were drawn, and not in the last frame, errors do not add up.
        let bitmap =
            reduction.tolerance > 0 ? screen.map { frame.bitmap.settled(on: $0, tolerance: reduction.tolerance) } : nil
        let update = try GIFFrameUpdate(
            bitmap ?? frame.bitmap, on: screen, before: next, checkCancellation: request.checkCancellation)
        var patch = update.patch
        let indexer =
            try writer.palette.map { GIFIndexer($0) } ?? GIFIndexer(&patch, reduction: reduction)
        // Some decoders clear to the background colour if a frame has no transparent index.
        let needsIndex = try update.clears || patch.hasTransparentPixel()
        try writer.writeControl(
            transparentIndex: needsIndex ? indexer.palette.transparentIndex : nil, clears: update.clears,
            delay: frame.delay)
        try write(patch, indexer: indexer, to: writer)
        return update.screen
    }

    private func write(_ patch: GIFPatch, indexer: GIFIndexer, to writer: GIFWriter) throws {
        try writer.beginFrame(patch.area, palette: writer.palette == nil ? indexer.palette : nil)
        var (indexer, indices) = (indexer, [UInt8](repeating: 0, count: patch.area.width))
        try patch.forEachRow { row in
            indexer.lookUp(row, into: &indices)
            try writer.append(&indices)
            return true
        }
    }

    private func check(_ frame: Frame) throws(ImageError) {
        guard frame.bitmap.size == size else {
            throw ImageError(.unsupported, .encode, "all frames of a GIF must have the same size")
        }
    }

    private func patch(_ bitmap: Bitmap) -> GIFPatch {
        GIFPatch(of: bitmap, in: PixelRectangle(size), on: nil, checkCancellation: request.checkCancellation)
    }
}

extension EncodeRequest {
    /// The animation to encode; `nil` for a still.
    var framesToEncode: Animation? {
        guard !context.usesFirstFrameOnly else { return nil }
        return image.animation.flatMap { $0.frameCount > 1 ? $0 : nil }
    }
}

/// A frame with its delay in hundredths of a second.
private struct TimedFrame {
    let bitmap: Bitmap
    let delay: Int
}
