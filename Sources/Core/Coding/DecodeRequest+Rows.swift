extension DecodeRequest {
    /// Returns a bitmap of the rows that `readRow` writes, one per call from the top, each of `info.storedSize.width`
    /// RGBA8 pixels with straight alpha.
    ///
    /// It has the target size. A smaller target is resized row by row, without a bitmap of the stored size. Limits are
    /// checked before any allocation, and cancellation once a row. `readRow` must write the whole row, whose contents
    /// are undefined.
    public func bitmap(readRow: (inout MutableSpan<UInt8>) throws -> Void) throws -> Bitmap {
        try context.limits.check(info)
        return try target == info.storedSize ? fullSizeBitmap(readRow) : resizedBitmap(readRow)
    }

    private func fullSizeBitmap(_ readRow: (inout MutableSpan<UInt8>) throws -> Void) throws -> Bitmap {
        let canvas = try RowCanvas(info.storedSize, hasAlpha: info.hasAlpha, limits: context.limits)
        for _ in 0..<info.storedSize.height {
            try checkCancellation()
            try canvas.append(atMost: 1) { row in
                try readRow(&row)
                return 1
            }
        }
        return canvas.finish()
    }

    private func resizedBitmap(_ readRow: (inout MutableSpan<UInt8>) throws -> Void) throws -> Bitmap {
        var resampler = try RowResampler(
            from: info.storedSize, to: target, hasAlpha: info.hasAlpha, inLinearLight: resizesInLinearLight,
            limits: context.limits)
        var row = [UInt8](repeating: 0, count: info.storedSize.width * 4)
        for _ in 0..<info.storedSize.height {
            try checkCancellation()
            var pixels = row.mutableSpan
            try readRow(&pixels)
            resampler.append(row.span)
        }
        return resampler.finish()
    }
}
