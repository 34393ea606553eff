public import DarkroomCore

extension GIFCoder: AnimatedImageCoder {
    /// A decoder of the frames that are all there; one that cannot be decompressed throws when it is asked for.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        let (outline, limits) = (try request.outline { try GIFOutline($0) }, request.context.limits)
        try limits.check(outline.info)
        let frames = GIFFrames(request.data, outline, request)
        return try FrameCompositor(
            canvas: outline.size, hasAlpha: outline.hasAlpha,
            patches: outline.shownFrames.map { $0.patch(on: outline.size) }, limits: limits, decodePatch: frames.patch)
    }
}
