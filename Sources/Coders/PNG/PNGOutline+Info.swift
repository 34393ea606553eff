import DarkroomCore

extension PNGOutline {
    /// Seconds of each frame; empty for a still.
    var frameDurations: [Double] { isAnimated ? frames.map(\.patch.duration) : [] }

    /// `info`, the header of the still, with what the outline knows more.
    func completed(_ info: ImageInfo) -> ImageInfo {
        var info = info
        info.exif = exif
        info.orientation = exif?.orientation ?? .up
        if info.iccProfile == nil { info.calibration = colors.calibration }
        if isAnimated || showsFrame { info.hasAlpha = framesHaveAlpha }
        guard isAnimated else { return info }
        info.frameCount = frames.count
        info.loopCount = loopCount
        info.frameDurations = frameDurations
        return info
    }

    /// Whether the frames of the animation have alpha.
    var framesHaveAlpha: Bool { hasAlpha || showsCanvas }

    /// Whether frames of opaque pixels may leave a part of the canvas to be seen, which is transparent.
    ///
    /// Of a frame that covers a part of the canvas it is not known whether that is the part that is missing: then it
    /// counts as seen.
    private var showsCanvas: Bool {
        var isCovered = false
        for frame in frames {
            let isCoveredNow = isCovered || frame.patch.area == PixelRectangle(size)
            guard isCoveredNow else { return true }
            switch frame.patch.disposal {
            case .keep: isCovered = true
            case .clear: isCovered = false
            case .restore: break
            }
        }
        return false
    }
}
