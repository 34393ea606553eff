/// Resizes an image row by row, so that the full-size image is never held in memory.
///
/// A coder of huge images appends the rows and returns the result, which has exactly the target size. Pixels are
/// blended premultiplied. Areas of a single colour keep it exactly (within one where alpha is 1). When a side shrinks
/// to an eighth or less with the default filter, groups of pixels are averaged before filtering, which bounds the
/// memory at any size.
///
/// Equal rows give equal bytes on every processor.
public struct RowResampler {
    private let plan: ResamplingPlan
    private let output: PixelStorage
    private let arithmetic: any ResamplingArithmetic

    private var sourceRowCount = 0
    /// The number of complete rows of averages, and how many of these are resized.
    private var averagedRowCount = 0
    private var resizedRowCount = 0
    private var targetRowCount = 0

    /// Creates a resampler for `source.height` rows of `source.width` pixels.
    ///
    /// A decoder that downscales rounds its sides up, so that the image may cover only part of the last column and row.
    /// `extent` is then the exact number of columns and rows covered; `nil` means all. With `inLinearLight`, colours
    /// blend like light, so that fine patterns of light and dark keep their brightness.
    ///
    /// - Throws: An ``ImageError`` of kind `overLimit` if the target exceeds `limits`.
    public init(
        from source: PixelSize, extent: (width: Double, height: Double)? = nil, to target: PixelSize, hasAlpha: Bool,
        filter: ResamplingFilter = .lanczos3, inLinearLight: Bool = false, limits: DecodeLimits = .default
    ) throws(ImageError) {
        try self.init(
            from: source, extent: extent, to: target, hasAlpha: hasAlpha, filter: filter, inLinearLight: inLinearLight,
            limits: limits, path: .fastest)
    }

    /// Creates a resampler with the kernels of `path`.
    package init(
        from source: PixelSize, extent: (width: Double, height: Double)? = nil, to target: PixelSize, hasAlpha: Bool,
        filter: ResamplingFilter = .lanczos3, inLinearLight: Bool = false, limits: DecodeLimits = .default,
        path: ResamplingPath
    ) throws(ImageError) {
        precondition(source.width > 0 && source.height > 0, "an image without pixels cannot be resized")
        plan = ResamplingPlan(
            source: source, target: target,
            horizontal: ResamplingAxis(from: source.width, extent: extent?.width, to: target.width, filter: filter),
            vertical: ResamplingAxis(from: source.height, extent: extent?.height, to: target.height, filter: filter),
            hasAlpha: hasAlpha, inLinearLight: inLinearLight)
        try limits.check(decodedByteCount: plan.byteCount)
        output = try PixelStorage(target, limits: limits, isUninitialized: true)
        arithmetic =
            plan.usesSinglePrecision ? LinearLightArithmetic(plan, path: path) : IntegerArithmetic(plan, path: path)
    }

    /// Appends the next row: `source.width` RGBA8 pixels with straight alpha. Rows beyond the last are ignored.
    public mutating func append(_ pixels: Span<UInt8>) {
        precondition(pixels.count >= plan.source.width * 4, "the row has fewer than \(plan.source.width) pixels")
        guard sourceRowCount < plan.source.height else { return }
        sourceRowCount += 1
        let isLast = sourceRowCount == plan.source.height
        let slot = averagedRowCount % ResamplingPlan.rowsAtOnce
        let isInLast = averagedRowCount == plan.vertical.sourceCount - 1
        let rowCount = isInLast ? plan.vertical.lastAveragedCount : plan.vertical.averagedCount
        unsafe pixels.withUnsafeBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            unsafe arithmetic.add(start, toRowAt: slot, of: rowCount)
        }
        guard isLast || sourceRowCount % plan.vertical.averagedCount == 0 else { return }
        arithmetic.completeRow(at: slot, of: rowCount)
        averagedRowCount += 1
        if isLast || averagedRowCount % ResamplingPlan.rowsAtOnce == 0 { resizeRows() }
    }

    /// Appends all rows of `bitmap`, as many at once as are resized at once. `checkCancellation` is called before each of
    /// these batches.
    mutating func append(_ bitmap: Bitmap, checkCancellation: () throws -> Void) rethrows {
        let rowByteCount = plan.source.width * 4
        try bitmap.withPixels { pixels in
            while sourceRowCount < plan.source.height {
                try checkCancellation()
                let start = sourceRowCount * rowByteCount
                let rowCount = min(plan.source.height - sourceRowCount, ResamplingPlan.rowsAtOnce)
                if !plan.isAveraging, rowCount == ResamplingPlan.rowsAtOnce {
                    appendBatch(pixels.extracting(start..<(start + rowCount * rowByteCount)))
                } else {
                    append(pixels.extracting(start..<(start + rowByteCount)))
                }
            }
        }
    }

    /// Appends as many rows as are resized at once, without copying them.
    private mutating func appendBatch(_ pixels: Span<UInt8>) {
        sourceRowCount += ResamplingPlan.rowsAtOnce
        averagedRowCount += ResamplingPlan.rowsAtOnce
        unsafe pixels.withUnsafeBufferPointer { pixels in
            guard let start = pixels.baseAddress else { return }
            let rows = unsafe SourceRows(start: start, stride: plan.source.width * 4)
            arithmetic.resize(rows, from: resizedRowCount)
        }
        writeRows()
    }

    /// Returns the resized image. Target rows that depend on missing source rows are transparent.
    public consuming func finish() -> Bitmap {
        if resizedRowCount < averagedRowCount { resizeRows() }
        clearMissingRows(of: output)
        return Bitmap(plan.target, hasAlpha: plan.hasAlpha, normalized: output)
    }

    /// Returns a copy of the target rows complete so far, without the contribution of the last few source rows. The
    /// other rows are transparent.
    package func preview() -> Bitmap {
        let copy = PixelStorage(copyOf: plan.target)
        let written = unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output.bytes)[..<writtenByteCount])
        unsafe UnsafeMutableRawBufferPointer(copy.bytes).copyMemory(from: written)
        clearMissingRows(of: copy)
        return Bitmap(plan.target, hasAlpha: plan.hasAlpha || targetRowCount < plan.target.height, normalized: copy)
    }

    /// The number of bytes of the target rows complete so far.
    private var writtenByteCount: Int { targetRowCount * plan.target.width * 4 }

    private func clearMissingRows(of storage: PixelStorage) {
        unsafe UnsafeMutableBufferPointer(rebasing: storage.bytes[writtenByteCount...]).update(repeating: 0)
    }

    private mutating func resizeRows() {
        arithmetic.resizeRows(from: resizedRowCount)
        writeRows()
    }

    /// Writes the target rows that the resized rows complete.
    private mutating func writeRows() {
        resizedRowCount = averagedRowCount
        guard let start = unsafe output.bytes.baseAddress else { return }
        while targetRowCount < plan.target.height,
            plan.vertical.window(at: targetRowCount).upperBound <= resizedRowCount
        {
            unsafe arithmetic.writeRow(at: targetRowCount, to: start + writtenByteCount)
            targetRowCount += 1
        }
    }
}

extension Bitmap {
    /// Returns the bitmap scaled to `size`, or itself if it has that size. `checkCancellation` is called at least once in
    /// four rows.
    public func resized(
        to size: PixelSize, filter: ResamplingFilter = .lanczos3, inLinearLight: Bool = false,
        limits: DecodeLimits = .default, checkCancellation: () throws -> Void = {}
    ) throws -> Bitmap {
        guard size != self.size else { return self }
        var resampler = try RowResampler(
            from: self.size, to: size, hasAlpha: hasAlpha, filter: filter, inLinearLight: inLinearLight, limits: limits)
        try resampler.append(self, checkCancellation: checkCancellation)
        return resampler.finish()
    }
}
