import DarkroomCore

extension Bitmap {
    /// Returns the canvas pixels of both placements that show any part of the image, resampled.
    ///
    /// Core's resampler is used if the image is aligned to whole pixels, because it cannot start between two. Otherwise
    /// each row is computed here with the same kernel along both axes, and the pixels at the edges are covered
    /// partially.
    func placed(
        across: AxisPlacement, down: AxisPlacement, inLinearLight: Bool, for request: TransformRequest
    ) throws -> Bitmap {
        let size = PixelSize(across.pixels.count, down.pixels.count)
        if across.isPixelAligned, down.isPixelAligned {
            let visible = PixelRectangle(
                x: across.visibleSource.lowerBound, y: down.visibleSource.lowerBound, width: across.visibleSource.count,
                height: down.visibleSource.count)
            return try window(visible, for: request).resized(
                to: size, inLinearLight: inLinearLight, limits: request.context.limits,
                checkCancellation: request.checkCancellation)
        }
        let byteCount = AxisWeights.byteCount(across) + AxisWeights.byteCount(down) + Double(self.size.width) * 16
        try request.context.limits.check(decodedByteCount: Int(exactly: byteCount.rounded()) ?? .max)
        let isOpaque =
            !hasAlpha
            && [across, down].allSatisfy { axis in
                axis.coverage(of: axis.pixels.lowerBound) == 1 && axis.coverage(of: axis.pixels.upperBound - 1) == 1
            }
        return try unsafe Self.drawn(size, hasAlpha: !isOpaque, isCovered: true, for: request) { target in
            let (columns, rows) = (AxisWeights(across), AxisWeights(down))
            let coverage = across.pixels.map { Float(across.coverage(of: $0)) }
            var line = PremultipliedLine(self, inLinearLight: inLinearLight)
            for y in 0..<size.height {
                try request.checkCancellation()
                line.sum(of: rows, at: y, columns: across.visibleSource)
                let covered = Float(down.coverage(of: down.pixels.lowerBound + y))
                let row = unsafe UnsafeMutableBufferPointer(rebasing: target[(y * size.width)...].prefix(size.width))
                unsafe line.resample(by: columns, to: row) { covered * coverage[$0] }
            }
        }
    }
}

/// A weighted sum of premultiplied rows of an image.
private struct PremultipliedLine {
    private let bitmap: Bitmap
    private let inLinearLight: Bool
    private var sums: [SIMD4<Float>]

    init(_ bitmap: Bitmap, inLinearLight: Bool) {
        self.bitmap = bitmap
        self.inLinearLight = inLinearLight
        sums = Array(repeating: .zero, count: bitmap.size.width)
    }

    /// Sums the rows of the window at `index`, in `columns` only.
    mutating func sum(of rows: AxisWeights, at index: Int, columns: Range<Int>) {
        for x in columns { sums[x] = .zero }
        for tap in 0..<rows.tapCount {
            add(row: rows.starts[index] + tap, weight: rows.weights[index * rows.tapCount + tap], columns: columns)
        }
    }

    private mutating func add(row: Int, weight: Float, columns: Range<Int>) {
        let start = row * bitmap.size.width
        unsafe bitmap.withWords { words in
            unsafe sums.withUnsafeMutableBufferPointer { sums in
                if inLinearLight {
                    for x in columns { unsafe sums[x] += words[start + x].premultipliedLight * weight }
                } else if bitmap.hasAlpha {
                    for x in columns { unsafe sums[x] += words[start + x].premultiplied * weight }
                } else {
                    for x in columns { unsafe sums[x] += words[start + x].channels * weight }
                }
            }
        }
    }

    /// Writes the pixels of the windows `columns`, each multiplied by its `coverage`.
    func resample(
        by columns: AxisWeights, to row: UnsafeMutableBufferPointer<UInt32>, _ coverage: (_ x: Int) -> Float
    ) {
        let tapCount = columns.tapCount
        unsafe sums.withUnsafeBufferPointer { sums in
            unsafe columns.weights.withUnsafeBufferPointer { weights in
                for x in row.indices {
                    let (start, offset) = (columns.starts[x], x * tapCount)
                    var sum = SIMD4<Float>.zero
                    for tap in 0..<tapCount { unsafe sum += sums[start + tap] * weights[offset + tap] }
                    unsafe row[x] = inLinearLight ? sum.wordOfLinearLight(coverage(x)) : sum.word(coverage(x))
                }
            }
        }
    }
}
