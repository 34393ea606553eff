import DarkroomCore

extension JPEGReader {
    /// The pixels, of `request.target` if that is smaller than the stored size, else of the stored size.
    func bitmap(for request: DecodeRequest) throws -> Bitmap {
        // Limits were checked on the header as Core has read it.
        guard size == request.info.storedSize else {
            throw ImageError(.corrupt, .decode, "the JPEG file has two headers that disagree")
        }
        let target = request.target
        let isSmaller = target != size && target.width <= size.width && target.height <= size.height
        return isSmaller ? try resizedBitmap(for: request) : try storedBitmap(for: request)
    }

    private func storedBitmap(for request: DecodeRequest) throws -> Bitmap {
        let limits = request.context.limits
        try check(holding: size, limits)
        try start(eighths: 8)
        return try Bitmap(size, hasAlpha: false, limits: limits) { pixels in
            try readRows(count: size.height, into: &pixels, width: size.width)
        }
    }

    /// The picture decoded at a fraction of its size, and shrunk further as its rows come.
    private func resizedBitmap(for request: DecodeRequest) throws -> Bitmap {
        let limits = request.context.limits
        let eighths = eighths(for: request.target)
        let size = size(eighths: eighths)
        try check(holding: request.target, limits)
        try start(eighths: eighths)
        var resampler = try RowResampler(
            from: size, extent: extent(eighths: eighths), to: request.target, hasAlpha: false, limits: limits)
        var rows = [UInt8](repeating: 0, count: size.rowBatches.first?.count ?? 0)
        for batch in size.rowBatches {
            try request.checkCancellation()
            var pixels = rows.mutableSpan
            let rowCount = batch.count / (size.width * 4)
            try readRows(count: rowCount, into: &pixels, width: size.width)
            for row in 0..<rowCount {
                resampler.append(rows.span.extracting((row * size.width * 4)..<((row + 1) * size.width * 4)))
            }
        }
        return resampler.finish()
    }

    /// The columns and rows that the picture covers of `size(eighths:)`, whose sides are rounded up.
    private func extent(eighths: Int) -> (width: Double, height: Double) {
        (Double(size.width * eighths) / 8, Double(size.height * eighths) / 8)
    }

    /// The smallest scale that still gives two pixels for each of `target`; 8 if there is none.
    private func eighths(for target: PixelSize) -> Int {
        // libjpeg-turbo takes longer for 3 and 7 than for 4 and 8.
        [1, 2, 4, 5, 6].first { eighths in
            let size = size(eighths: eighths)
            return target.width <= size.width / 2 && target.height <= size.height / 2
        } ?? 8
    }

    /// Throws when the pixels of `size` are too much to hold beside the coefficients.
    private func check(holding size: PixelSize, _ limits: DecodeLimits) throws(ImageError) {
        let (byteCount, overflow) = coefficientByteCount.addingReportingOverflow(size.byteCount ?? .max)
        try limits.check(decodedByteCount: overflow ? .max : byteCount)
    }
}

extension PixelSize {
    /// Where the bytes of some rows at a time lie in RGBA8 pixels of this size, in order.
    var rowBatches: some Collection<Range<Int>> {
        let rowCount = 16
        return stride(from: 0, to: height, by: rowCount).lazy.map { y in
            (y * width * 4)..<(min(y + rowCount, height) * width * 4)
        }
    }
}
