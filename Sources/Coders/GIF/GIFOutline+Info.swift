import DarkroomCore
import DarkroomPlatform

extension GIFOutline {
    /// Reads the outline of a file. Throws `incomplete` if `request.data` ends before the descriptor of the first
    /// frame.
    init(_ request: InfoRequest) throws(ImageError) {
        self.init()
        try read(request)
        try checkFrames()
    }

    /// Throws if there is no frame descriptor, or no screen.
    func checkFrames() throws(ImageError) {
        guard frames.isEmpty else {
            guard size.width > 0, size.height > 0 else {
                throw ImageError(.corrupt, .decode, "the GIF has no pixels: its screen and its first frame are empty")
            }
            return
        }
        throw hasEnded ? ImageError(.corrupt, .decode, "the GIF has no frame") : .truncatedGIF
    }

    /// The frames to present: those whose data has begun, and always the first one.
    var shownFrames: ArraySlice<GIFFrame> {
        frames.prefix(max(isInPixels ? frames.count : completeCount, 1))
    }

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

    private var allCover: Bool { shownFrames.allSatisfy { $0.covers(size) } }

    private var keepsFirst: Bool { frames[0].covers(size) && frames[0].control.disposal == .keep }
}

extension GIFOutline {
    /// Notes what is missing at the end of the file, and what is wrong there. Missing pixels of the first frame are noted
    /// when it is decoded.
    func noteDefects(at frames: GIFFrames, for request: DecodeRequest) throws {
        let count = shownFrames.count
        if hasEnded {
            guard endsInUnknownBlock else { return }
            return request.note("the GIF ends after frame \(count) in a block of unknown type")
        }
        if isInPixels {
            let (last, present) = (self.frames[count - 1].pixelCount, try frames.pixelCount(of: count - 1))
            guard present == last else {
                guard count > 1 else { return }
                return request.noteIncomplete(
                    "the GIF is truncated in frame \(count), which has only \(present) of \(last) pixels")
            }
        } else if !isBetweenBlocks {
            return request.noteIncomplete(
                "the GIF is truncated after \(count) complete frame\(count == 1 ? "" : "s")")
        }
        guard request.truncationNotes.isEmpty else { return }
        request.note("the GIF has no mark at its end")
    }
}

extension ImageError {
    /// The data ends before the GIF trailer.
    static let truncatedGIF = ImageError(.incomplete, .decode, "the GIF is truncated")
}
