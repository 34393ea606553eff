import DarkroomCore

/// The fields of the header of the pixels, as they are stored.
///
/// Headers of OS/2 1 have 12 bytes. All others begin with the fields of Windows' header of 40 bytes, and may end early.
struct BMPFields {
    let headerByteCount: Int
    let width: Int
    let height: Int
    let bitsPerPixel: Int
    private let compression: Int
    private let colorCount: Int
    private let start: Int

    /// Reads the fields at `start`.
    init(_ bytes: Span<UInt8>, at start: Int) throws(ImageError) {
        guard let byteCount = bytes.number(at: start, byteCount: 4) else { throw .endOfHeader }
        guard BMPHeader.isKnown(byteCount: byteCount) else {
            throw ImageError(.corrupt, .decode, "the bitmap has a header of \(byteCount) bytes, which no version has")
        }
        guard start + byteCount <= bytes.count else { throw .endOfHeader }
        func field(_ offset: Int, _ fieldByteCount: Int) -> Int {
            offset + fieldByteCount <= byteCount ? bytes.number(at: start + offset, byteCount: fieldByteCount) ?? 0 : 0
        }
        func signed(_ offset: Int) -> Int { Int(Int32(truncatingIfNeeded: field(offset, 4))) }
        let isOld = byteCount == 12
        self.start = start
        headerByteCount = byteCount
        width = isOld ? field(4, 2) : signed(4)
        height = isOld ? field(6, 2) : signed(8)
        bitsPerPixel = field(isOld ? 10 : 14, 2)
        compression = isOld ? 0 : field(16, 4)
        colorCount = isOld ? 0 : field(32, 4)
    }

    /// Returns the storage of the pixels, and moves `maskEnd` behind masks that follow the header.
    func storage(
        _ bytes: Span<UInt8>, maskEnd: inout Int, isIcon: Bool
    ) throws(ImageError) -> BMPHeader.Storage {
        switch (compression, bitsPerPixel) {
        case (0, 1), (0, 2), (0, 4), (0, 8): return .indices
        case (0, 24): return .triples
        case (0, 16): return .numbers(.fiveBits)
        case (0, 32): return .numbers(isIcon ? .eightBitsAndAlpha : .eightBits)
        case (1, 8) where !isIcon, (2, 4) where !isIcon: return .runs
        // OS/2 gave the number that stands for JPEG to runs of triples.
        case (4, 24) where headerByteCount == 64: return .runs
        case (3, 16), (3, 32), (6, 16), (6, 32):
            return .numbers(try masks(bytes, end: &maskEnd))
        case (1, 8), (2, 4), (4, _), (5, _), (3, 1):
            throw ImageError(
                .unsupported, .decode, "the bitmap is compressed by method \(compression), which is not supported")
        default:
            throw ImageError(
                .corrupt, .decode,
                "the bitmap declares \(bitsPerPixel) bits per pixel, compressed by method \(compression)")
        }
    }

    /// Returns the colours of all indices, and moves `start` behind the stored ones.
    ///
    /// A palette that would exceed `declaredEnd`, where the pixels start, is shorter.
    func palette(
        _ bytes: Span<UInt8>, from start: inout Int, declaredEnd: Int?
    ) throws(ImageError) -> [SIMD4<UInt8>] {
        let byteCount = headerByteCount == 12 ? 3 : 4
        guard bitsPerPixel <= 8 else {
            // Colours for old screens, which are of no use.
            let (end, overflow) = colorCount.multipliedReportingOverflow(by: byteCount)
            if !overflow, colorCount <= 256 { start += end }
            return []
        }
        let indexCount = 1 << bitsPerPixel
        var count = colorCount == 0 ? indexCount : colorCount
        if let declaredEnd, declaredEnd > start { count = min(count, (declaredEnd - start) / byteCount) }
        let storedCount = min(count, indexCount)
        guard start + storedCount * byteCount <= bytes.count else { throw .endOfHeader }
        var colors = [SIMD4<UInt8>](repeating: SIMD4(0, 0, 0, 255), count: indexCount)
        for index in 0..<storedCount {
            let place = start + index * byteCount
            colors[index] = SIMD4(bytes[place + 2], bytes[place + 1], bytes[place], 255)
        }
        start += min(count, bytes.count) * byteCount
        return colors
    }

    /// Returns the range of the embedded profile; `nil` if there is none, or it exceeds the file.
    func profile(_ bytes: Span<UInt8>, from start: Int) -> Range<Int>? {
        // bV5CSType, bV5ProfileData and bV5ProfileSize; the type is the letters `MBED`.
        guard headerByteCount == 124, bytes.number(at: start + 56, byteCount: 4) == 0x4D42_4544,
            let offset = bytes.number(at: start + 112, byteCount: 4),
            let byteCount = bytes.number(at: start + 116, byteCount: 4),
            byteCount > 0, start + offset + byteCount <= bytes.count
        else { return nil }
        return (start + offset)..<(start + offset + byteCount)
    }

    /// Returns the channels of masks in the header, or behind one that has no room for them.
    private func masks(_ bytes: Span<UInt8>, end: inout Int) throws(ImageError) -> BMPChannels {
        let isInside = headerByteCount >= 52
        let count = isInside ? (headerByteCount >= 56 ? 4 : 3) : (compression == 6 ? 4 : 3)
        let place = isInside ? start + 40 : end
        var masks: [UInt32] = []
        for index in 0..<count {
            guard let mask = bytes.number(at: place + 4 * index, byteCount: 4) else { throw .endOfHeader }
            masks.append(UInt32(truncatingIfNeeded: mask))
        }
        if !isInside { end += 4 * count }
        return BMPChannels(masks)
    }
}

extension ImageError {
    /// The error of a file that is too short for its header.
    static let endOfHeader = ImageError(.incomplete, .decode, "the bitmap ends within its header")
}
