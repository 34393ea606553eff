import DarkroomCore

extension PNGReader {
    /// Returns the pixels, at `request.target` if rows arrive in order, else at the stored size.
    func bitmap(for request: DecodeRequest) throws -> Bitmap {
        size.canDownscale(to: request.target) && !isInterlaced
            ? try resizedBitmap(for: request)
            : try storedBitmap(for: request)
    }

    private func storedBitmap(for request: DecodeRequest) throws -> Bitmap {
        let limits = request.context.limits
        // Core resizes it to the target, and holds both for a moment.
        let held = request.target == size ? [size] : [size, request.target]
        try size.check(holding: held, columnByteCount: columnByteCount, limits: limits)
        let passCount = try startRows()
        return try Bitmap.uninitialized(size, hasAlpha: hasAlpha, limits: limits) { pixels in
            for _ in 0..<passCount {
                for y in 0..<size.height {
                    try readRow(into: &pixels, at: size.row(y), checkCancellation: request.checkCancellation)
                }
            }
        }
    }

    /// Returns the image scaled down row by row, so that it is never held completely.
    private func resizedBitmap(for request: DecodeRequest) throws -> Bitmap {
        let limits = request.context.limits
        try size.check(
            holding: [request.target, PixelSize(size.width, 1)], columnByteCount: columnByteCount, limits: limits)
        _ = try startRows()
        var resampler = try RowResampler(
            from: size, to: request.target, hasAlpha: hasAlpha, inLinearLight: request.resizesInLinearLight,
            limits: limits)
        var row = [UInt8](repeating: 0, count: size.width * 4)
        for _ in 0..<size.height {
            var pixels = row.mutableSpan
            try readRow(into: &pixels, at: 0..<pixels.count, checkCancellation: request.checkCancellation)
            resampler.append(row.span)
        }
        return resampler.finish()
    }
}

extension PixelSize {
    /// Returns the byte range of row `y` in RGBA8 pixels of this size.
    func row(_ y: Int) -> Range<Int> { (y * width * 4)..<((y + 1) * width * 4) }

    /// Whether `target` is a smaller size, to which rows can be resized as they arrive.
    func canDownscale(to target: PixelSize) -> Bool {
        target != self && target.width <= width && target.height <= height
    }

    /// Throws if bitmaps of `sizes`, held simultaneously with `columnByteCount` bytes of row buffers per column, exceed
    /// the limits. libpng holds two rows of up to eight bytes per pixel.
    func check(
        holding sizes: [PixelSize], columnByteCount: Int = 16, limits: DecodeLimits
    ) throws(ImageError) {
        let byteCount = sizes.reduce(width * columnByteCount) { sum, size in
            let (held, overflow) = sum.addingReportingOverflow(size.byteCount ?? .max)
            return overflow ? .max : held
        }
        try limits.check(decodedByteCount: byteCount)
    }
}
