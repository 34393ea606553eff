/// Resizes a picture that comes row by row, so that it is never held whole.
///
/// A coder with a huge picture feeds its rows and returns the result, which has exactly the target size.
/// Blending is done premultiplied, and areas of one colour keep it exactly.
///
/// The arithmetic is single-precision and in a fixed order: equal rows give equal bytes.
public struct RowResampler {
    private let source: PixelSize
    private let target: PixelSize
    private let hasAlpha: Bool
    private let isResizingRows: Bool
    private let horizontal: ResamplingWindows
    private let vertical: ResamplingWindows
    private let output: PixelStorage

    /// The row that came last, premultiplied, and what the horizontal pass made of it.
    private var row: [SIMD4<Float>]
    private var resized: [SIMD4<Float>]
    /// Sums of the target rows that are begun and not complete, a slot each.
    private var sums: [SIMD4<Float>]
    private let slotCount: Int
    private var nextSourceRow = 0
    private var firstOpenRow = 0

    /// A resampler for `source.height` rows of `source.width` pixels. Throws `overLimit` for a target beyond `limits`.
    ///
    /// A decoder that shrinks rounds sides up: then the picture covers only part of the last column and row, and
    /// `extent` says how many columns and rows it truly covers. `nil` stands for all.
    public init(
        from source: PixelSize, extent: (width: Double, height: Double)? = nil, to target: PixelSize, hasAlpha: Bool,
        filter: ResamplingFilter = .lanczos3, limits: DecodeLimits = .default
    ) throws(ImageError) {
        precondition(source.width > 0 && source.height > 0, "rows of no pixels cannot be resized")
        try limits.check(decodedByteCount: Self.byteCount(from: source, to: target))
        self.source = source
        self.target = target
        self.hasAlpha = hasAlpha
        output = try PixelStorage(target, limits: limits)
        isResizingRows = source.width != target.width || extent != nil
        horizontal = ResamplingWindows(
            from: source.width, extent: extent?.width ?? Double(source.width), to: target.width, filter: filter)
        vertical = ResamplingWindows(
            from: source.height, extent: extent?.height ?? Double(source.height), to: target.height, filter: filter)
        row = Array(repeating: .zero, count: source.width)
        resized = Array(repeating: .zero, count: target.width)
        slotCount = Self.mostOverlapping(vertical)
        sums = Array(repeating: .zero, count: slotCount * target.width)
    }

    /// Takes the next row: `source.width` RGBA8 pixels with straight alpha. Rows beyond the last are ignored.
    public mutating func append(_ pixels: Span<UInt8>) {
        precondition(pixels.count >= source.width * 4, "a row of \(source.width) pixels was promised")
        guard nextSourceRow < source.height else { return }
        premultiply(pixels)
        resizeHorizontally()
        accumulate()
        nextSourceRow += 1
        finishRows()
    }

    /// The resized picture. Where a source row is missing that a target row needs, that is transparent.
    public consuming func finish() -> Bitmap {
        Bitmap(target, hasAlpha: hasAlpha, adopting: output)
    }

    /// A copy of the rows that are complete; the others are transparent.
    package func preview() -> Bitmap {
        let copy = PixelStorage(target)
        let byteCount = firstOpenRow * target.width * 4
        unsafe UnsafeMutableRawBufferPointer(copy.bytes)
            .copyMemory(from: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(output.bytes)[..<byteCount]))
        guard !hasAlpha else { return Bitmap(target, hasAlpha: true, adopting: copy) }
        return Bitmap(target, hasAlpha: firstOpenRow < target.height, normalized: copy)
    }

    /// About what resizing holds: the target, a row of the source, sums of target rows, and the weights.
    private static func byteCount(from source: PixelSize, to target: PixelSize) -> Int {
        let lobes = 6.0  // a source pixel, and a source row, counts for about as many of the target
        let weights = (Double(source.width) + Double(source.height)) * lobes * 4
        let windows = (Double(target.width) + Double(target.height)) * 3 * 8
        let rows = (Double(source.width) + Double(target.width) * (lobes + 2)) * 16
        let pixels = Double(target.width) * Double(target.height) * 4
        return Int(exactly: (weights + windows + rows + pixels).rounded()) ?? .max
    }

    private mutating func premultiply(_ pixels: Span<UInt8>) {
        let isOpaque = !hasAlpha
        unsafe pixels.withUnsafeBufferPointer { bytes in
            unsafe row.withUnsafeMutableBufferPointer { row in
                for x in row.indices {
                    var pixel = unsafe SIMD4<Float>(
                        Float(bytes[4 * x]), Float(bytes[4 * x + 1]), Float(bytes[4 * x + 2]), 255)
                    if !isOpaque {
                        let alpha = unsafe Float(bytes[4 * x + 3])
                        pixel *= alpha / 255
                        pixel.w = alpha
                    }
                    unsafe row[x] = pixel
                }
            }
        }
    }

    private mutating func resizeHorizontally() {
        guard isResizingRows else {
            swap(&row, &resized)
            return
        }
        let windows = horizontal
        unsafe row.withUnsafeBufferPointer { row in
            unsafe resized.withUnsafeMutableBufferPointer { resized in
                unsafe windows.weights.withUnsafeBufferPointer { weights in
                    for x in resized.indices {
                        let start = windows.starts[x]
                        let offset = windows.offsets[x]
                        var sum = SIMD4<Float>.zero
                        for tap in 0..<(windows.ends[x] - start) {
                            unsafe sum += row[start + tap] * weights[offset + tap]
                        }
                        unsafe resized[x] = sum
                    }
                }
            }
        }
    }

    /// Adds the row to the sums of all target rows that it belongs to.
    private mutating func accumulate() {
        let width = target.width
        var y = firstOpenRow
        while y < target.height, vertical.starts[y] <= nextSourceRow {
            let weight = vertical.weights[vertical.offsets[y] + nextSourceRow - vertical.starts[y]]
            let slot = (y % slotCount) * width
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                unsafe resized.withUnsafeBufferPointer { resized in
                    for x in 0..<width { unsafe sums[slot + x] += resized[x] * weight }
                }
            }
            y += 1
        }
    }

    /// Writes the target rows whose last source row has come.
    private mutating func finishRows() {
        while firstOpenRow < target.height, vertical.ends[firstOpenRow] <= nextSourceRow {
            let slot = (firstOpenRow % slotCount) * target.width
            let start = firstOpenRow * target.width * 4
            for x in 0..<target.width {
                let pixel = straight(sums[slot + x])
                sums[slot + x] = .zero
                for channel in 0..<4 { unsafe output.bytes[start + 4 * x + channel] = pixel[channel] }
            }
            firstOpenRow += 1
        }
    }

    /// The pixel of a premultiplied sum, which the lobes of the filter may have driven out of range.
    private func straight(_ sum: SIMD4<Float>) -> SIMD4<UInt8> {
        var pixel = sum
        if hasAlpha {
            let alpha = min(max(sum.w, 0), 255)
            guard alpha >= 0.5 else { return .zero }
            pixel *= 255 / alpha
            pixel.w = alpha
        }
        let clamped = pixel.clamped(lowerBound: .zero, upperBound: SIMD4(repeating: 255))
        return SIMD4<UInt8>(truncatingIfNeeded: SIMD4<Int32>(clamped + 0.5))
    }

    /// How many target rows can be open at once.
    private static func mostOverlapping(_ windows: ResamplingWindows) -> Int {
        var most = 1
        var first = 0
        for y in windows.starts.indices {
            while windows.ends[first] <= windows.starts[y] { first += 1 }
            most = max(most, y - first + 1)
        }
        return most
    }
}

extension Bitmap {
    /// The bitmap stretched or shrunk to `size`; itself if it has that size. `checkCancellation` is called once a row.
    public func resized(
        to size: PixelSize, filter: ResamplingFilter = .lanczos3, limits: DecodeLimits = .default,
        checkCancellation: () throws -> Void = {}
    ) throws -> Bitmap {
        guard size != self.size else { return self }
        var resampler = try RowResampler(from: self.size, to: size, hasAlpha: hasAlpha, filter: filter, limits: limits)
        let rowByteCount = self.size.width * 4
        try withPixels { pixels in
            for y in 0..<self.size.height {
                try checkCancellation()
                resampler.append(pixels.extracting((y * rowByteCount)..<((y + 1) * rowByteCount)))
            }
        }
        return resampler.finish()
    }
}
