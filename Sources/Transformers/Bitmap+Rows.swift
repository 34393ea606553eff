import DarkroomCore

extension Bitmap {
    /// Returns a bitmap of the same size, each row of which `body` computes from the row of this one. It must
    /// write all pixels.
    func mapRows(
        hasAlpha: Bool, for request: TransformRequest,
        _ body: (_ from: UnsafeBufferPointer<UInt32>, _ to: UnsafeMutableBufferPointer<UInt32>) throws -> Void
    ) throws -> Bitmap {
        let storage = try PixelStorage(size, limits: request.context.limits, isUninitialized: true)
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

    /// Returns a bitmap of the same size whose pixels `body` computes from the pixels of this one, eight at a time.
    @inline(__always) func mapBlocks(
        hasAlpha: Bool, for request: TransformRequest, _ body: (SIMD8<UInt32>) -> SIMD8<UInt32>
    ) throws -> Bitmap {
        try unsafe mapRows(hasAlpha: hasAlpha, for: request) { from, to in unsafe from.mapBlocks(to: to, body) }
    }
}

extension UnsafeBufferPointer<UInt32> {
    /// Writes the results of `body` for these pixels, eight at a time, to `target`, which may be the same memory.
    ///
    /// The words are RGBA with red in the lowest byte. In the last block, some of the eight may not be pixels.
    @inline(__always) func mapBlocks(
        to target: UnsafeMutableBufferPointer<UInt32>, _ body: (SIMD8<UInt32>) -> SIMD8<UInt32>
    ) {
        let (source, destination) = (UnsafeRawBufferPointer(self), UnsafeMutableRawBufferPointer(target))
        let rest = count % 8
        let start = count - rest
        for x in stride(from: 0, to: start, by: 8) {
            let block = unsafe source.loadUnaligned(fromByteOffset: x * 4, as: SIMD8<UInt32>.self)
            unsafe destination.storeBytes(of: body(block), toByteOffset: x * 4, as: SIMD8<UInt32>.self)
        }
        guard rest > 0 else { return }
        var block = SIMD8<UInt32>.zero
        for lane in 0..<rest { unsafe block[lane] = self[start + lane] }
        let result = body(block)
        for lane in 0..<rest { unsafe target[start + lane] = result[lane] }
    }
}
