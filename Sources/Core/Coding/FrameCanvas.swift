/// The pixels on which the frames of an animation are drawn.
///
/// A frame is drawn in place if the caller has released the previous one, so its cost depends on its area. Otherwise it
/// is drawn on a second bitmap, into which only the pixels that differ are copied.
struct FrameCanvas {
    private let size: PixelSize
    private var hasAlpha: Bool
    private let limits: DecodeLimits
    /// `nil` if all pixels are transparent.
    private var current: Bitmap?
    /// A bitmap that was shown before. Its memory is reused if the caller has released it.
    private var spare: Spare?
    /// The disposal of the last frame, which is carried out before the next change.
    private var disposal: Disposal?

    private struct Spare {
        var bitmap: Bitmap
        /// The area in which it may differ from the current pixels.
        var difference: PixelRectangle
    }

    private enum Disposal {
        /// The area becomes transparent.
        case clear(PixelRectangle)
        /// The area becomes what it was before.
        case restore(PixelRectangle, Bitmap)
    }

    /// Creates a transparent canvas of `size`.
    init(_ size: PixelSize, hasAlpha: Bool, limits: DecodeLimits) {
        (self.size, self.hasAlpha, self.limits) = (size, hasAlpha, limits)
    }

    /// Makes all pixels transparent.
    mutating func reset() {
        replaceAll(with: nil)
        disposal = nil
    }

    /// Lets a canvas that was expected to be opaque have transparent pixels, if it does now or after the disposal of the
    /// last frame.
    mutating func allowTransparency() {
        let isCleared = if case .clear = disposal { true } else { false }
        guard !hasAlpha, current == nil || isCleared else { return }
        hasAlpha = true
        current = current?.with(alpha: true)
        spare = nil
    }

    /// Continues with `frame`, which is a transparent canvas with `patch` drawn on it. The disposal of the patch follows
    /// before the next change. Returns false, and changes nothing, if `frame` is not of this canvas.
    mutating func start(with frame: Bitmap, of patch: FramePatch) -> Bool {
        guard frame.size == size, frame.hasAlpha == hasAlpha else { return false }
        reset()
        if patch.disposal != .restore { replaceAll(with: frame) }
        if patch.disposal == .clear { disposal = .clear(patch.area) }
        return true
    }

    /// Returns the canvas with `pixels` drawn at the area of `patch`; `nil` if that is empty. The disposal of the patch
    /// follows before the next change.
    mutating func show(_ patch: FramePatch, pixels: Bitmap?) throws -> Bitmap {
        try settle()
        guard let pixels else { return try bitmap() }
        let replaces = current == nil || patch.blending == .replace || !pixels.hasAlpha
        if replaces, patch.area == PixelRectangle(size) {
            let frame = pixels.with(alpha: hasAlpha)
            switch patch.disposal {
            case .keep: replaceAll(with: frame)
            case .clear: replaceAll(with: nil)
            case .restore: break
            }
            return frame
        }
        func draw(_ canvas: DrawablePixels) { canvas.draw(pixels, at: patch.area, over: !replaces) }
        if patch.disposal == .restore, patch.area.covers(halfOf: size) {
            // To draw on a copy takes less memory than to keep what is beneath.
            return try changedCopy(patch.area, draw)
        }
        let beneath = patch.disposal == .restore ? try bitmap().part(patch.area) : nil
        try change(patch.area, draw)
        disposal =
            switch patch.disposal {
            case .keep: nil
            case .clear: .clear(patch.area)
            case .restore: beneath.map { Disposal.restore(patch.area, $0) }
            }
        return try bitmap()
    }

    /// Makes `area` transparent before the next change.
    mutating func clear(_ area: PixelRectangle) throws {
        try settle()
        if current != nil { disposal = .clear(area) }
    }

    /// Carries out the disposal of the last frame.
    private mutating func settle() throws {
        switch disposal {
        case nil: return
        case .clear(PixelRectangle(size)): replaceAll(with: nil)
        case .clear(let area): try change(area) { $0.clear(area) }
        case .restore(let area, let pixels): try change(area) { $0.draw(pixels, at: area, over: false) }
        }
        disposal = nil
    }

    private mutating func bitmap() throws -> Bitmap {
        if let current { return current }
        let bitmap = try Bitmap(size, hasAlpha: hasAlpha, normalized: PixelStorage(size, limits: limits))
        current = bitmap
        spare?.difference = PixelRectangle(size)
        return bitmap
    }

    private mutating func replaceAll(with bitmap: Bitmap?) {
        if let current { spare = Spare(bitmap: current, difference: PixelRectangle(size)) }
        current = bitmap
    }

    /// Changes pixels of the canvas, all of them within `area`.
    private mutating func change(_ area: PixelRectangle, _ change: (DrawablePixels) -> Void) throws {
        if current == nil { _ = try bitmap() }
        if current?.changeInPlace(change) == true {
            spare = spare.map { Spare(bitmap: $0.bitmap, difference: $0.difference.union(area)) }
            return
        }
        let changed = try changedCopy(area, change)
        spare = current.map { Spare(bitmap: $0, difference: area) }
        current = changed
    }

    /// Returns a copy of the canvas with changed pixels, all of them within `area`. It becomes the spare bitmap.
    private mutating func changedCopy(_ area: PixelRectangle, _ change: (DrawablePixels) -> Void) throws -> Bitmap {
        let base = try bitmap()
        var reused = spare.take()
        let difference = reused?.difference ?? area
        let isReused = reused?.bitmap.changeInPlace { pixels in
            pixels.copy(difference, of: base)
            change(pixels)
        }
        let copy: Bitmap
        if isReused == true, let bitmap = reused?.bitmap {
            copy = bitmap
        } else {
            reused = nil
            copy = try base.copied(limits: limits, change)
        }
        spare = Spare(bitmap: copy, difference: area)
        return copy
    }
}

extension PixelRectangle {
    /// Whether these are more than half of the pixels of `size`.
    fileprivate func covers(halfOf size: PixelSize) -> Bool { width * height > size.width * size.height / 2 }
}
