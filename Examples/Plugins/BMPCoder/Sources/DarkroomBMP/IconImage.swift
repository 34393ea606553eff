import DarkroomCore
import DarkroomPNG

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// One image of an icon.
struct IconImage: Sendable {
    private enum Contents: Sendable {
        case png
        case bitmap(BMPHeader)
    }

    let size: PixelSize
    private let bitsPerPixel: Int
    private let contents: Contents
    private let range: Range<Int>

    /// Reads the header of the image whose entry of the directory is at the offset `entry`.
    ///
    /// The size in the entry is ignored: it is often wrong, and larger images have no room for theirs.
    init(_ bytes: Span<UInt8>, entry: Int) throws(ImageError) {
        guard let byteCount = bytes.number(at: entry + 8, byteCount: 4),
            let start = bytes.number(at: entry + 12, byteCount: 4), start < bytes.count
        else { throw .endOfIcon }
        range = start..<min(start + byteCount, bytes.count)
        let stored = bytes.extracting(range)
        guard !stored.startsLikePNG else {
            guard let width = stored.bigEndianNumber(at: 16), let height = stored.bigEndianNumber(at: 20) else {
                throw .endOfIcon
            }
            (contents, size, bitsPerPixel) = (.png, PixelSize(width, height), 32)
            return
        }
        let header = try BMPHeader(stored, at: 0, isIcon: true)
        (contents, size, bitsPerPixel) = (.bitmap(header), header.size, header.bitsPerPixel)
    }

    /// Returns the pixels, with alpha.
    func bitmap(_ request: DecodeRequest) throws -> Bitmap {
        switch contents {
        case .png: try png(request)
        case .bitmap(let header): try bitmap(header, request)
        }
    }

    private func png(_ request: DecodeRequest) throws -> Bitmap {
        let data = Data(request.data.dropFirst(range.lowerBound).prefix(range.count))
        let coder = PNGCoder()
        var info = try coder.info(of: request.headerRequest(of: data))
        guard info.storedSize == size else {
            throw ImageError(.corrupt, .decode, "the PNG in the icon has two contradictory headers")
        }
        try request.context.limits.check(info)
        // The images of an icon have no profiles in common.
        (info.iccProfile, info.calibration) = (nil, nil)
        let bitmap = try coder.decode(request.embedded(data, info: info))
        guard !bitmap.hasAlpha else { return bitmap }
        return try Bitmap(size, hasAlpha: true, limits: request.context.limits) { pixels in
            bitmap.withPixels { source in for index in source.indices { pixels[index] = source[index] } }
        }
    }

    private func bitmap(_ header: BMPHeader, _ request: DecodeRequest) throws -> Bitmap {
        let stored = request.data.span.extracting(range)
        let isTruncated = header.pixelEnd.map { $0 > stored.count } ?? true
        if isTruncated {
            guard request.context.acceptsIncomplete else { throw ImageError.endOfIcon }
            request.noteIncomplete("the icon ends before the last pixel of its image")
        }
        let usesAlpha = try header.usesAlpha(stored, checkCancellation: request.checkCancellation)
        let mask = usesAlpha ? nil : IconMask(header, in: stored)
        if mask == nil, !usesAlpha, !isTruncated { request.note("the icon has no mask, and is opaque") }
        let rows = BMPRows(header, isOpaque: !usesAlpha)
        return try Bitmap(size, hasAlpha: true, limits: request.context.limits) { pixels in
            var row = [UInt8](repeating: 0, count: size.width * 4)
            for y in 0..<size.height {
                try request.checkCancellation()
                var span = row.mutableSpan
                guard rows.read(y, of: stored, into: &span) else { continue }
                mask?.apply(y, of: stored, to: &span)
                for index in row.indices { pixels[y * row.count + index] = row[index] }
            }
        }
    }
}

extension IconImage: Comparable {
    static func == (left: IconImage, right: IconImage) -> Bool {
        left.size.pixelCount == right.size.pixelCount && left.bitsPerPixel == right.bitsPerPixel
    }

    /// Returns whether `left` has fewer pixels or, if they have equally many, fewer colours.
    static func < (left: IconImage, right: IconImage) -> Bool {
        (left.size.pixelCount, left.bitsPerPixel) < (right.size.pixelCount, right.bitsPerPixel)
    }
}

/// The bits beneath the pixels of an icon, which make pixels transparent.
private struct IconMask {
    private let size: PixelSize
    private let start: Int
    private let rowByteCount: Int

    /// Finds the mask; `nil` if it is missing.
    init?(_ header: BMPHeader, in stored: Span<UInt8>) {
        size = header.size
        rowByteCount = (size.width + 31) / 32 * 4
        let (byteCount, overflow) = header.rowByteCount.multipliedReportingOverflow(by: size.height)
        guard !overflow, byteCount <= stored.count - header.pixelOffset else { return nil }
        start = header.pixelOffset + byteCount
        let restByteCount = stored.count - start - (size.width + 7) / 8
        guard restByteCount >= 0, restByteCount / rowByteCount >= size.height - 1 else { return nil }
    }

    /// Makes pixels of row `y`, counted from the top, transparent.
    func apply(_ y: Int, of stored: Span<UInt8>, to row: inout MutableSpan<UInt8>) {
        let place = start + (size.height - 1 - y) * rowByteCount
        for x in 0..<size.width where stored[place + x / 8] << (x % 8) & 0x80 != 0 { row[4 * x + 3] = 0 }
    }
}

extension Span<UInt8> {
    fileprivate var startsLikePNG: Bool {
        let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        return count >= 8 && signature.indices.allSatisfy { self[$0] == signature[$0] }
    }

    fileprivate func bigEndianNumber(at offset: Int) -> Int? {
        guard offset + 4 <= count else { return nil }
        return (0..<4).reduce(0) { $0 << 8 | Int(self[offset + $1]) }
    }
}
