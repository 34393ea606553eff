public import DarkroomCore

extension GIFCoder: AnimatedImageCoder {
    /// Returns a decoder of the complete frames. A frame that cannot be decompressed throws when it is requested.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        let (outline, limits) = (try request.outline { try GIFOutline($0) }, request.context.limits)
        try limits.check(outline.info)
        let frames = GIFFrames(of: request.data, outline: outline, request: request)
        return try FrameCompositor(
            canvas: outline.size, hasAlpha: outline.hasAlpha,
            patches: outline.shownFrames.map { $0.patch(on: outline.size) }, limits: limits, decodePatch: frames.patch)
    }
}
