import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes the pixels of one file in order.
struct QOIReader {
    private let hasAlpha: Bool
    private var position = QOIHeader.byteCount
    private var pixel = QOIPixel.beforeFirst
    private var seen = QOIPixelsSeen(repeating: .zero)
    /// The remaining repetitions of the current pixel.
    private var run = 0

    /// Creates a reader positioned after the header. An image without alpha is opaque, whatever its chunks contain.
    ///
    /// Throws, before anything is allocated, if the file is too short for its number of pixels.
    init(_ request: DecodeRequest) throws(ImageError) {
        let size = request.info.storedSize
        let (pixelCount, overflow) = size.width.multipliedReportingOverflow(by: size.height)
        guard !overflow, pixelCount / longestQOIRun <= request.data.count else { throw .endOfQOI }
        hasAlpha = request.info.hasAlpha
    }

    /// Decodes the pixels of `row`. Every call must pass the same complete file.
    mutating func read(_ file: Span<UInt8>, into row: inout MutableSpan<UInt8>) throws(ImageError) {
        for start in stride(from: 0, to: row.count, by: 4) {
            if run > 0 { run -= 1 } else { try readChunk(file) }
            row[start] = pixel.x
            row[start + 1] = pixel.y
            row[start + 2] = pixel.z
            row[start + 3] = hasAlpha ? pixel.w : 255
        }
    }

    private mutating func readChunk(_ file: Span<UInt8>) throws(ImageError) {
        let tag = try nextByte(file)
        let low = tag & 0b0011_1111
        switch (tag, tag & 0b1100_0000) {
        case (QOITag.rgb, _):
            pixel = QOIPixel(try nextByte(file), try nextByte(file), try nextByte(file), pixel.w)
        case (QOITag.rgba, _):
            pixel = QOIPixel(try nextByte(file), try nextByte(file), try nextByte(file), try nextByte(file))
        case (_, QOITag.index):
            pixel = seen[Int(low)]
        case (_, QOITag.difference):
            pixel &+= QOIPixel(low >> 4, low >> 2 & 3, low & 3, 2) &- 2
        case (_, QOITag.luma):
            let (green, others) = (low &- 32, try nextByte(file))
            pixel &+= QOIPixel(green &+ (others >> 4) &- 8, green, green &+ (others & 15) &- 8, 0)
        default:
            run = Int(low)
        }
        seen[pixel.slot] = pixel
    }

    private mutating func nextByte(_ file: Span<UInt8>) throws(ImageError) -> UInt8 {
        guard position < file.count else { throw .endOfQOI }
        defer { position += 1 }
        return file[position]
    }
}

extension ImageError {
    fileprivate static let endOfQOI = ImageError(.incomplete, .decode, "the QOI ends before its last pixel")
}
