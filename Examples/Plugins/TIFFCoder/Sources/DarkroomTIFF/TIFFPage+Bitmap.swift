import DarkroomCore

extension TIFFPage {
    /// Returns the pixels. Rows that are damaged are transparent, or white if there is no alpha.
    ///
    /// Throws before any allocation if the page needs more memory than the limits allow.
    func bitmap(_ request: DecodeRequest) throws -> Bitmap {
        try request.checkCancellation()
        try request.context.limits.check(request.info)
        var rows = try rows(request)
        var conversion = TIFFRowConversion(self, request)
        var samples = [UInt16](repeating: 0, count: size.width * usedSamples.count)
        var (y, missingCount) = (0, 0)
        let bitmap = try request.bitmap { row in
            var span = samples.mutableSpan
            if try rows.read(y, into: &span) {
                conversion.convert(samples.span, to: &row)
            } else {
                if rows.isTruncated, !request.context.acceptsIncomplete { throw rows.error }
                missingCount += 1
                for index in row.indices { row[index] = request.info.hasAlpha ? 0 : 255 }
            }
            y += 1
        }
        guard missingCount < size.height else { throw rows.error }
        request.noteDamage(rows.message, missingRowCount: missingCount)
        return bitmap
    }

    private func rows(_ request: DecodeRequest) throws -> any TIFFRows {
        if colors == .converted { return try TIFFConvertedRows(self, request) }
        return isTiled ? try TIFFTileRows(self, request) : try TIFFStripRows(self, request)
    }
}

extension DecodeRequest {
    /// Notes the damage that `message` of libtiff describes, if there is one.
    fileprivate func noteDamage(_ message: String?, missingRowCount: Int) {
        if missingRowCount > 0 {
            let reason = message ?? "no reason given"
            noteIncomplete("the TIFF is damaged, and parts of the image are missing (libtiff: \(reason))")
        } else if let message {
            note("the TIFF is damaged, and parts of the image may be wrong (libtiff: \(message))")
        }
    }
}

/// The rows of a page in order.
protocol TIFFRows {
    /// Reads the used samples of row `y`, pixel by pixel. Returns false if the file lacks them.
    ///
    /// Rows must be read from the top. Samples have 8 or 16 bits, but indices are unchanged.
    mutating func read(_ y: Int, into samples: inout MutableSpan<UInt16>) throws -> Bool

    /// The open files, one for each plane that is read.
    var files: [TIFFHandle] { get }
}

extension TIFFRows {
    /// Whether libtiff has requested bytes beyond the end of the file.
    var isTruncated: Bool { files.contains { $0.isTruncated } }

    /// The last message of libtiff; `nil` if there was none.
    var message: String? { files.lazy.compactMap(\.message).first }

    /// The error of a page without any row that can be decoded.
    var error: ImageError {
        let sentence = isTruncated ? "the TIFF ends before its last pixel" : "the pixels of the TIFF are damaged"
        return (files.first { $0.message != nil } ?? files[0]).error(sentence)
    }
}

extension TIFFPage {
    /// Opens the page once for each plane that is read, so that each is decoded in one pass.
    ///
    /// Throws before any allocation if the tables and rows of the page exceed the limit.
    func open(_ request: DecodeRequest) throws(ImageError) -> [TIFFHandle] {
        try check(request, bufferByteCount: 0)
        var files: [TIFFHandle] = []
        for _ in 0..<fileCount {
            let file = try TIFFHandle(reading: request.data, limits: request.context.limits)
            guard file.selectPage(at: offset) else { throw file.error("the header of a page of the TIFF is damaged") }
            if isJPEGInYCbCr { file.convertYCbCr() }
            file.clearMessages()
            files.append(file)
        }
        return files
    }
}
