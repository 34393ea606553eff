/// Puts the patches of an animation together, so that every frame is a whole picture.
///
/// The one compositor of all formats. The canvas starts transparent, and background colours that a file stores are
/// ignored, as all browsers do. It can seek: frames are then replayed from the last one that needs none before it.
public struct FrameCompositor: FrameDecoder {
    private let canvas: PixelSize
    private let hasAlpha: Bool
    private let patches: [FramePatch]
    private let limits: DecodeLimits
    private let decodePatch: (Int) throws -> Bitmap

    /// For each frame the one to begin with when it is to be shown out of turn.
    private let starts: [Int]
    private var next = 0
    /// The canvas that the next frame is drawn on; `nil` when nothing is on it.
    private var base: Bitmap?
    /// The canvas before that: its memory is used again once nobody else has the frame.
    private var spare: Bitmap?

    /// A decoder of `patches.count` frames on a canvas of this size, whose pixel format may have alpha.
    ///
    /// `decodePatch` answers the pixels of the patch with this index, exactly as many as its area has, in any order of
    /// indices. It is not asked for empty ones. Throws `overLimit` when the canvas cannot be held as often as it takes,
    /// and `corrupt` when a patch does not lie on it.
    public init(
        canvas: PixelSize, hasAlpha: Bool, patches: [FramePatch], limits: DecodeLimits,
        decodePatch: @escaping (Int) throws -> Bitmap
    ) throws(ImageError) {
        // The canvas, the picture drawn on it, and the patch: a restored canvas is the one before.
        let (byteCount, overflow) = (canvas.byteCount ?? .max).multipliedReportingOverflow(by: 3)
        try limits.check(decodedByteCount: overflow ? .max : byteCount)
        guard patches.allSatisfy({ $0.area.isEmpty || $0.area.cut(to: canvas) == $0.area }) else {
            throw ImageError(.corrupt, .decode, "a frame of the animation does not lie on its canvas")
        }
        self.canvas = canvas
        self.hasAlpha = hasAlpha
        self.patches = patches
        self.limits = limits
        self.decodePatch = decodePatch
        starts = Self.starts(of: patches, canvas)
    }

    /// Decodes and draws the next patch.
    public mutating func nextFrame() throws -> Frame? {
        guard next < patches.count else { return nil }
        let patch = patches[next]
        defer { next += 1 }
        let shown = try drawn(next)
        switch patch.disposal {
        case .keep: leave(shown)
        case .clear: leave(try cleared(shown, patch.area))
        case .restore: break
        }
        return Frame(shown, duration: patch.duration)
    }

    /// Goes to frame `index`, over frames that leave nothing behind without decoding them.
    public mutating func seek(to index: Int) throws -> Bool {
        precondition(patches.indices.contains(index), "there is no frame \(index)")
        if index < next || starts[index] > next {
            base = nil
            next = starts[index]
        }
        while next < index {
            let patch = patches[next]
            switch patch.disposal {
            // A frame that cannot be decoded leaves nothing, as when it is played.
            case .keep: leave((try? drawn(next)) ?? base)
            case .clear: leave(try base.flatMap { try cleared($0, patch.area) })
            case .restore: break
            }
            next += 1
        }
        return true
    }

    private mutating func leave(_ canvas: Bitmap?) {
        (spare, base) = (base, canvas)
    }

    private mutating func drawn(_ index: Int) throws -> Bitmap {
        let patch = patches[index]
        guard !patch.area.isEmpty else { return try base ?? emptyCanvas() }
        let pixels = try decodePatch(index)
        guard pixels.size == patch.area.size else {
            throw ImageError(.internal, .decode, "a patch of \(pixels.size) pixels came for one of \(patch.area.size)")
        }
        let replaces = base == nil || patch.blending == .replace || !pixels.hasAlpha
        if replaces, patch.area == PixelRectangle(canvas) { return pixels.with(alpha: hasAlpha) }
        return try (base ?? emptyCanvas())
            .drawing(pixels, at: patch.area, over: !replaces, into: &spare, limits: limits)
    }

    /// `bitmap` without what is in `area`; `nil` when nothing is left.
    private mutating func cleared(_ bitmap: Bitmap, _ area: PixelRectangle) throws -> Bitmap? {
        area == PixelRectangle(canvas) ? nil : try bitmap.clearing(area, into: &spare, limits: limits)
    }

    private func emptyCanvas() throws -> Bitmap { try Bitmap(canvas, hasAlpha: hasAlpha, limits: limits) { _ in } }

    private static func starts(of patches: [FramePatch], _ canvas: PixelSize) -> [Int] {
        var last = 0
        var isClear = true
        return patches.enumerated().map { index, patch in
            let coversAll = patch.area == PixelRectangle(canvas)
            let hidesAll = coversAll && (patch.blending == .replace || !patch.hasAlpha)
            // What a frame restores must be known when it is jumped to.
            let isIndependent = isClear || hidesAll && patch.disposal != .restore
            let start = isIndependent ? index : last
            switch patch.disposal {
            case .keep:
                if isIndependent { last = index }
                isClear = false
            case .clear: isClear = isClear || coversAll
            // What comes next is drawn on what was there before.
            case .restore: break
            }
            return start
        }
    }
}
