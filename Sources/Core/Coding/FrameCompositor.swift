/// A frame decoder that composites the patches of an animation into complete frames, for all formats.
///
/// The canvas starts transparent. Background colours in the file are ignored, as in all browsers. Seeking replays
/// frames from the last one that does not depend on earlier ones.
public struct FrameCompositor: FrameDecoder {
    private let patches: [FramePatch]
    private let decodePatch: (Int) throws -> Bitmap

    /// For each frame, the first one that must be replayed to seek to it.
    private let replayStarts: [Int]
    private var next = 0
    /// The number of frames that the canvas shows. After an error, there may be fewer than before the next frame.
    private var drawnCount = 0
    /// Whether the canvas is that of playback from the first frame.
    private var isInSequence = true
    private var canvas: FrameCanvas
    /// The first frame, if it was decoded before, and is in use elsewhere.
    private var firstFrame: WeakBitmap?
    /// Why the patch that was composited last is missing.
    private var damage: String?
    private let limits: DecodeLimits

    /// Creates a decoder of `patches.count` frames on a canvas of this size.
    ///
    /// `decodePatch` returns the pixels of the patch at an index, exactly as many as its area has. It is called in any
    /// order of indices, but not for empty patches. If pixels of an opaque patch are missing, it returns a bitmap with
    /// alpha, where they are transparent, and show what is beneath them. If it throws an error of kind `corrupt` or
    /// `incomplete`, all of them are missing, unless the patch is the first, without which there is nothing to show. Any
    /// other error is thrown, also for later frames that show the patch, for each of which it is decoded again.
    ///
    /// - Throws: An error of kind `overLimit` if three canvases exceed `limits`, and `corrupt` if a patch exceeds the
    /// canvas.
    public init(
        canvas: PixelSize, hasAlpha: Bool, patches: [FramePatch], limits: DecodeLimits,
        decodePatch: @escaping (Int) throws -> Bitmap
    ) throws(ImageError) {
        // The canvas, the previous frame if the caller keeps it, and the patch with the pixels beneath it.
        let (byteCount, overflow) = (canvas.byteCount ?? .max).multipliedReportingOverflow(by: 3)
        try limits.check(decodedByteCount: overflow ? .max : byteCount)
        guard patches.allSatisfy({ $0.area.isEmpty || $0.area.clamped(to: canvas) == $0.area }) else {
            throw ImageError(.corrupt, .decode, "a frame of the animation exceeds its canvas")
        }
        self.canvas = FrameCanvas(canvas, hasAlpha: hasAlpha, limits: limits)
        self.patches = patches
        self.decodePatch = decodePatch
        self.limits = limits
        replayStarts = Self.replayStarts(of: patches, on: canvas)
    }

    /// Returns a decoder that does not decode the first frame again while `bitmap`, as it was decoded before, is in use.
    func reusing(firstFrame bitmap: WeakBitmap) -> FrameCompositor {
        var decoder = self
        decoder.firstFrame = bitmap
        return decoder
    }

    /// Decodes and draws the next patch.
    public mutating func nextFrame() throws -> Frame? {
        guard next < patches.count else { return nil }
        let index = next
        next += 1
        try draw(upTo: index)
        damage = nil
        var frame = Frame(try composited(index), duration: patches[index].duration)
        drawnCount = index + 1
        frame.damage = damage
        return frame
    }

    /// Moves to frame `index`. Frames that do not affect later ones are skipped without being decoded.
    public mutating func seek(to index: Int) throws -> Bool {
        precondition(patches.indices.contains(index), "there is no frame \(index)")
        next = index
        try draw(upTo: index)
        return true
    }

    /// Makes the canvas that of playback before frame `index`. After an error, the next call continues from there.
    private mutating func draw(upTo index: Int) throws {
        if index < drawnCount || replayStarts[index] > drawnCount {
            canvas.reset()
            drawnCount = replayStarts[index]
            isInSequence = drawnCount == 0
        }
        try advance(to: index)
    }

    private mutating func advance(to index: Int) throws {
        while drawnCount < index {
            let patch = patches[drawnCount]
            switch patch.disposal {
            case .keep:
                do {
                    _ = try composited(drawnCount)
                } catch let error as ImageError where [.corrupt, .incomplete].contains(error.kind) {
                    // A first frame that cannot be decoded changes nothing, as in playback.
                }
            case .clear: try canvas.clear(patch.area)
            case .restore: break
            }
            drawnCount += 1
        }
    }

    private mutating func composited(_ index: Int) throws -> Bitmap {
        var patch = patches[index]
        if index == 0, let frame = firstFrame?.bitmap, canvas.start(with: frame, of: patch) { return frame }
        guard !patch.area.isEmpty else { return try canvas.show(patch, pixels: nil) }
        let (pixels, damage) = try pixels(of: index)
        guard pixels.size == patch.area.size else {
            throw ImageError(.internal, .decode, "a patch has \(pixels.size) pixels instead of \(patch.area.size)")
        }
        if damage != nil || pixels.hasAlpha && !patch.hasAlpha {
            patch.blending = .over
            try showWhatIsBeneath(index)
        }
        self.damage = damage
        return try canvas.show(patch, pixels: pixels)
    }

    /// Returns the pixels of the patch at `index`. If they cannot be decoded, they are transparent, and the reason is
    /// returned as well.
    private func pixels(of index: Int) throws -> (Bitmap, damage: String?) {
        do {
            return (try decodePatch(index), nil)
        } catch let error as ImageError where index > 0 && [.corrupt, .incomplete].contains(error.kind) {
            let pixels = try Bitmap(patches[index].area.size, hasAlpha: true, limits: limits) { _ in }
            return (pixels, "frame \(index + 1) is not shown: \(error.message)")
        }
    }

    /// Makes the canvas that of playback before frame `index`, which was expected to hide it.
    private mutating func showWhatIsBeneath(_ index: Int) throws {
        if !isInSequence {
            canvas.reset()
            (drawnCount, isInSequence) = (0, true)
            try advance(to: index)
        }
        canvas.allowTransparency()
    }

    private static func replayStarts(of patches: [FramePatch], on canvas: PixelSize) -> [Int] {
        var last = 0
        var isClear = true
        return patches.enumerated().map { index, patch in
            let coversAll = patch.area == PixelRectangle(canvas)
            let replacesAll = coversAll && (patch.blending == .replace || !patch.hasAlpha)
            // A frame that is restored afterwards needs the canvas before it.
            let isIndependent = isClear || replacesAll && patch.disposal != .restore
            let start = isIndependent ? index : last
            switch patch.disposal {
            case .keep:
                if isIndependent { last = index }
                isClear = false
            case .clear: isClear = isClear || coversAll
            // The next frame is drawn on the previous canvas.
            case .restore: break
            }
            return start
        }
    }
}
