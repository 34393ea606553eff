import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension GIFOutline {
    /// The outline of a file; throws `incomplete` when `request.data` ends before the first frame's descriptor does.
    init(_ request: InfoRequest) throws(ImageError) {
        self.init()
        try read(request)
        try checkFrames()
    }

    /// Throws when there is not even the descriptor of a frame.
    func checkFrames() throws(ImageError) {
        guard frames.isEmpty else { return }
        throw hasEnded ? ImageError(.corrupt, .decode, "the GIF has no frame") : .endOfGIF
    }

    /// The frames to show: those that are all there, and in any case the first one.
    var shownFrames: ArraySlice<GIFFrame> { frames.prefix(max(completeCount, 1)) }

    /// What the file is; there is a frame.
    var info: ImageInfo {
        let shown = shownFrames
        var info = ImageInfo(format: .gif, storedSize: size)
        info.hasAlpha = hasAlpha
        info.colorModel = .indexed
        info.frameCount = shown.count
        if shown.count > 1 {
            info.loopCount = loopCount
            info.frameDurations = shown.map(\.control.duration)
        }
        return info
    }

    /// Whether some frame may show a transparent pixel.
    var hasAlpha: Bool {
        !allHide && (!isFirstKept || shownFrames.dropLast().contains { $0.control.disposal == .clear })
    }

    /// Whether there are frames that are opaque only because of the first one below.
    var needsFirst: Bool { !allHide && !hasAlpha }

    private var allHide: Bool { shownFrames.allSatisfy { $0.hides(size) } }

    private var isFirstKept: Bool { frames[0].hides(size) && frames[0].control.disposal == .keep }
}

extension ImageError {
    /// The bytes end before the GIF does.
    static let endOfGIF = ImageError(.incomplete, .decode, "the GIF ends too early")
}
