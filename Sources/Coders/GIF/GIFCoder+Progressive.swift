public import DarkroomCore
import DarkroomPlatform

extension GIFCoder: ProgressiveImageCoder {
    /// Returns a decoder whose only preview is the first frame, as soon as that is complete.
    public func makePreviewDecoder(_ request: DecodeRequest) throws -> any PreviewDecoder {
        GIFPreviewDecoder(request)
    }
}

/// Previews the first frame of a growing file, and counts the others.
private struct GIFPreviewDecoder: PreviewDecoder {
    private let request: DecodeRequest
    private var data = Data()
    private var outline = GIFOutline()
    private var first: Bitmap?
    /// Whether the first frame was decoded, or is so damaged that only later frames make the file an image.
    private var hasTriedFirst = false

    init(_ request: DecodeRequest) { self.request = request }

    var frameDurations: [Duration] {
        let complete = outline.frames.prefix(outline.completeCount)
        return complete.count > 1 ? complete.map(\.control.duration) : []
    }

    mutating func append(_ bytes: Data) throws -> Bitmap? {
        try request.checkCancellation()
        data.append(bytes)
        try outline.read(request.headerRequest(of: data))
        let (count, bound) = (outline.completeCount, request.context.limits.frameCount)
        guard count <= bound else { throw ImageError.overLimit("frameCount", value: count, bound: bound) }
        guard !hasTriedFirst, count > 0 else { return nil }
        hasTriedFirst = true
        do {
            first = try decodedFirst()
        } catch let error as ImageError where error.kind == .corrupt || error.kind == .incomplete {}
        return first
    }

    mutating func finish() throws -> Bitmap {
        try outline.checkFrames()
        try request.context.limits.check(outline.info)
        let frames = GIFFrames(of: data, outline: outline, request: request)
        let first = try first ?? frames.first()
        try outline.noteDefects(at: frames, for: request)
        // A later frame may have introduced alpha. Missing pixels have it in any case.
        return first.with(alpha: first.hasAlpha || outline.hasAlpha)
    }

    mutating func partialBitmap() throws -> Bitmap? {
        guard !outline.frames.isEmpty else { return nil }
        return try GIFFrames(of: data, outline: outline, request: request).partOfFirst()
    }

    private func decodedFirst() throws -> Bitmap {
        try GIFFrames(of: data, outline: outline, request: request).first()
    }
}
