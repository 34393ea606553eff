import DarkroomCore

extension TIFFPage {
    /// The number of files that are open at once: one for each plane that is read.
    var fileCount: Int { planeCount == 1 ? 1 : usedSamples.count }

    /// Throws if everything that decoding holds, with buffers of `byteCount` bytes, `nil` if it overflows, exceeds the limit.
    func check(_ request: DecodeRequest, bufferByteCount byteCount: Int?) throws(ImageError) {
        let held = [byteCount, request.target.byteCount].reduce(tableByteCount + rowByteCount) { sum, part in
            let (total, overflow) = sum.addingReportingOverflow(part ?? .max)
            return overflow ? .max : total
        }
        try request.context.limits.check(decodedByteCount: held)
    }

    /// The size of the offsets and byte counts of blocks, which libtiff expands to 8 bytes each in every file.
    private var tableByteCount: Int { 16 * blockCount * fileCount }

    /// The size of one row in each of its forms.
    private var rowByteCount: Int {
        // Samples and pixels of 16 bits, alpha besides inks, and the RGBA that Core resizes.
        let pixelByteCount = 2 * usedSamples.count + 8 + 2 + 4
        // For CCITT, whose samples have 1 bit, libtiff holds the runs of two rows.
        let runByteCount = bitsPerSample == 1 ? 16 * block.width * fileCount : 0
        return size.width * pixelByteCount + runByteCount
    }
}
