import DarkroomCore

extension PNGOutline {
    /// The duration of each frame; empty for a still.
    var frameDurations: [Duration] { isAnimated ? frames.map(\.patch.duration) : [] }

    /// Returns `info`, the header of the still, completed with the information of the outline.
    func completed(_ info: ImageInfo) -> ImageInfo {
        var info = info
        info.exif = exif
        metadata.complete(&info)
        info.orientation = exif?.orientation ?? .up
        if let calibration = colors.codedCalibration {
            (info.iccProfile, info.calibration) = (nil, calibration)
        } else if info.iccProfile == nil {
            info.calibration = colors.calibration
        }
        if isAnimated || hasSeparateFirstFrame { info.hasAlpha = framesHaveAlpha }
        guard isAnimated else { return info }
        info.frameCount = frames.count
        info.loopCount = loopCount
        info.frameDurations = frameDurations
        return info
    }

    /// Whether the frames of the animation have alpha.
    var framesHaveAlpha: Bool { hasAlpha || exposesCanvas }

    /// Whether frames of opaque pixels may leave part of the canvas uncovered, and thus transparent.
    ///
    /// This is assumed for every frame that covers only part of the canvas, because that may not be the part that is
    /// missing.
    private var exposesCanvas: Bool {
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
