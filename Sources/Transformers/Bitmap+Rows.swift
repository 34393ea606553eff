import DarkroomCore

extension Bitmap {
    /// A bitmap of the same size, each row of which `body` makes of the row of this one.
    func mapRows(
        hasAlpha: Bool, _ request: TransformRequest,
        _ body: (_ from: UnsafeBufferPointer<UInt32>, _ to: UnsafeMutableBufferPointer<UInt32>) throws -> Void
    ) throws -> Bitmap {
        let storage = try PixelStorage(size, limits: request.context.limits)
        let target = unsafe UnsafeMutableRawBufferPointer(storage.bytes).bindMemory(to: UInt32.self)
        try unsafe withWords { source in
            for y in 0..<size.height {
                try request.checkCancellation()
                let row = (y * size.width)..<((y + 1) * size.width)
                try unsafe body(
                    UnsafeBufferPointer(rebasing: source[row]), UnsafeMutableBufferPointer(rebasing: target[row]))
            }
        }
        return Bitmap(size, hasAlpha: hasAlpha, adopting: storage)
    }

    /// A bitmap of the same size whose pixels `body` makes of the pixels of this one, eight at a time; the words are RGBA
    /// with red in the lowest byte. At the end of a row, some of the eight may be none of the picture's.
    @inline(__always) func mapBlocks(
        hasAlpha: Bool, _ request: TransformRequest, _ body: (SIMD8<UInt32>) -> SIMD8<UInt32>
    ) throws -> Bitmap {
        try unsafe mapRows(hasAlpha: hasAlpha, request) { from, to in
            let rest = from.count % 8
            for x in stride(from: 0, to: from.count - rest, by: 8) {
                let block = unsafe UnsafeRawPointer(from.baseAddress! + x).loadUnaligned(as: SIMD8<UInt32>.self)
                unsafe UnsafeMutableRawPointer(to.baseAddress! + x).storeBytes(of: body(block), as: SIMD8<UInt32>.self)
            }
            guard rest > 0 else { return }
            let start = from.count - rest
            var block = SIMD8<UInt32>.zero
            for lane in 0..<rest { unsafe block[lane] = from[start + lane] }
            let result = body(block)
            for lane in 0..<rest { unsafe to[start + lane] = result[lane] }
        }
    }
}
