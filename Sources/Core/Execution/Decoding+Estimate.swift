extension Decoding {
    /// About how many bytes making the image takes when it takes the most, transformed and with the result itself.
    ///
    /// On the safe side: most coders can size while they decode, but some kinds of file have to be held whole.
    var estimatedByteCount: Int {
        let (info, context) = (request.info, request.context)
        // Nothing larger is ever allocated: it is refused.
        func allowed(_ byteCount: Int?) -> Int { min(byteCount ?? .max, max(0, context.limits.decodedByteCount)) }
        let stored = allowed(info.storedSize.byteCount)
        let delivered = allowed(request.target.byteCount)
        let isSized = request.target != info.storedSize
        let isConverted = request.colorConverter != nil && (info.iccProfile != nil || info.calibration != nil)
        let copies = [
            isSized ? stored : 0,
            info.frameCount > 1 ? stored : 0,  // the canvas that frames are painted on
            isConverted ? delivered : 0,
            info.orientation != .up ? delivered : 0,
        ].reduce(0) { $0.adding($1) }
        let others = context.preloadsFrames ? allowed(delivered.multiplied(by: info.frameCount - 1)) : 0
        let transformed = context.transformers.isEmpty ? 0 : delivered
        return delivered.adding(max(copies, transformed)).adding(others)
    }

    /// Likewise while it is shown as it comes: the last preview is kept for those who join.
    var previewedByteCount: Int { estimatedByteCount.adding(request.target.byteCount ?? .max) }
}
