public import DarkroomCore

extension GIFCoder: AnimatedImageCoder {
    /// Returns a decoder of the frames. Where pixels of a frame are missing, it shows what is beneath.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        let (outline, limits) = (try request.outline { try GIFOutline($0) }, request.context.limits)
        try limits.check(outline.info)
        let frames = GIFFrames(of: request.data, outline: outline, request: request)
        return try FrameCompositor(
            canvas: outline.size, hasAlpha: outline.hasAlpha,
            patches: outline.shownFrames.map { $0.patch(on: outline.size) }, limits: limits, decodePatch: frames.patch)
    }
}
