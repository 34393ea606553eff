import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension GIFOutline {
    /// Reads the outline of a file. Throws `incomplete` if `request.data` ends before the descriptor of the first
    /// frame.
    init(_ request: InfoRequest) throws(ImageError) {
        self.init()
        try read(request)
        try checkFrames()
    }

    /// Throws if there is no frame descriptor.
    func checkFrames() throws(ImageError) {
        guard frames.isEmpty else { return }
        throw hasEnded ? ImageError(.corrupt, .decode, "the GIF has no frame") : .truncatedGIF
    }

    /// The frames to present: the complete ones, and always the first one.
    var shownFrames: ArraySlice<GIFFrame> { frames.prefix(max(completeCount, 1)) }

    /// The image info. There must be a frame.
    var info: ImageInfo {
        let shown = shownFrames
        var info = ImageInfo(format: .gif, storedSize: size)
        info.hasAlpha = hasAlpha
        info.colorModel = .indexed
        metadata.complete(&info)
        info.frameCount = shown.count
        if shown.count > 1 {
            info.loopCount = loopCount
            info.frameDurations = shown.map(\.control.duration)
        }
        return info
    }

    /// Whether any frame may show a transparent pixel.
    var hasAlpha: Bool {
        !allCover && (!keepsFirst || shownFrames.dropLast().contains { $0.control.disposal == .clear })
    }

    /// Whether there are frames that are opaque only because of the first frame below them.
    var needsFirst: Bool { !allCover && !hasAlpha }

    private var allCover: Bool { shownFrames.allSatisfy { $0.covers(size) } }

    private var keepsFirst: Bool { frames[0].covers(size) && frames[0].control.disposal == .keep }
}

extension GIFOutline {
    /// Notes that frames may be missing at the end of the file.
    func noteTruncation(for request: DecodeRequest) {
        guard !hasEnded else { return }
        let count = shownFrames.count
        request.noteIncomplete("the GIF is truncated after \(count) complete frame\(count == 1 ? "" : "s")")
    }
}

extension ImageError {
    /// The data ends before the GIF trailer.
    static let truncatedGIF = ImageError(.incomplete, .decode, "the GIF is truncated")
}
