extension Decoding {
    /// The estimated peak number of bytes needed to make the image, including the transformed copy and the result
    /// itself.
    ///
    /// An upper estimate: most coders can downscale while they decode, but some kinds of file must be decoded at full
    /// size.
    package var estimatedByteCount: Int {
        let (info, context) = (request.info, request.context)
        // Larger buffers are refused, never allocated.
        func allowed(_ byteCount: Int?) -> Int { min(byteCount ?? .max, max(0, context.limits.decodedByteCount)) }
        let stored = allowed(info.storedSize.byteCount)
        let delivered = allowed(request.target.byteCount)
        let isSized = request.target != info.storedSize
        let isConverted = request.colorConverter != nil && (info.iccProfile != nil || info.calibration != nil)
        let copies = [
            isSized ? stored : 0,
            info.frameCount > 1 ? stored : 0,  // the canvas that frames are drawn on
            isConverted ? delivered : 0,
            info.orientation != .up ? delivered : 0,
            request.deliveredSize != info.orientation.applied(to: request.target) ? delivered : 0,
        ].reduce(0) { $0.adding($1) }
        let others = context.preloadsFrames ? allowed(delivered.multiplied(by: info.frameCount - 1)) : 0
        let transformed = context.transformers.isEmpty ? 0 : delivered
        // A part of a truncated image is decoded like a preview.
        let part = context.acceptsIncomplete ? delivered : 0
        // Another process delivers the pixels in memory of its own.
        let received = isHosted ? delivered : 0
        return delivered.adding(max(copies, transformed)).adding(others).adding(part).adding(received)
    }

    /// The same estimate for progressive decoding, where the last preview stays in memory for subscribers that join
    /// later.
    var previewedByteCount: Int { estimatedByteCount.adding(request.target.byteCount ?? .max) }
}
