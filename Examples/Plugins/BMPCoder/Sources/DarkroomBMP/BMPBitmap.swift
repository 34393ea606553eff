import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The bitmap in a file of its own.
struct BMPBitmap: Sendable {
    /// The header in Darkroom's form.
    let info: ImageInfo

    private let header: BMPHeader

    /// Whether the file ends before the last pixel.
    private let isTruncated: Bool

    /// Reads the header of `request.data`.
    init(_ request: InfoRequest) throws {
        let bytes = request.data.span
        guard request.data.count >= BMPHeader.fileHeaderByteCount else { throw ImageError.endOfHeader }
        header = try BMPHeader(bytes, at: BMPHeader.fileHeaderByteCount, isIcon: false)
        var info = ImageInfo(format: .bmp, storedSize: header.size)
        info.hasAlpha = header.hasAlpha
        if case .runs = header.storage {
            let runs = try Self.scan(header, bytes, request)
            (info.hasAlpha, isTruncated) = (runs.leavesGaps, runs.isTruncated)
        } else {
            isTruncated = header.pixelEnd.map { $0 > bytes.count } ?? true
            if isTruncated, request.acceptsIncomplete { info.hasAlpha = true }
        }
        if header.bitsPerPixel <= 8 { info.colorModel = .indexed }
        if case .numbers(let channels) = header.storage { info.bitsPerChannel = channels.bitsPerChannel }
        if let profile = header.profile {
            info.iccProfile = Data(request.data.dropFirst(profile.lowerBound).prefix(profile.count))
        }
        self.info = info
    }

    /// Returns the pixels. Those that are missing are transparent.
    func decode(_ request: DecodeRequest) throws -> Bitmap {
        if isTruncated {
            let sentence = "the bitmap ends before its last pixel"
            guard request.context.acceptsIncomplete else { throw ImageError(.incomplete, .decode, sentence) }
            request.noteIncomplete(sentence)
        }
        if case .runs = header.storage { return try paint(request) }
        try request.context.limits.check(request.info)
        let isOpaque = try !header.usesAlpha(request.data.span, checkCancellation: request.checkCancellation)
        let rows = BMPRows(header, isOpaque: isOpaque)
        var y = 0
        return try request.bitmap { row in
            if !rows.read(y, of: request.data.span, into: &row) { row.clear(hasAlpha: info.hasAlpha) }
            y += 1
        }
    }

    private static func scan(_ header: BMPHeader, _ bytes: Span<UInt8>, _ request: InfoRequest) throws -> BMPRuns {
        var runs = BMPRuns(header)
        try request.checkCancellation()
        var y = 0
        while let segment = runs.next(bytes) {
            if segment.y != y { try request.checkCancellation() }
            y = segment.y
        }
        return runs
    }

    private func paint(_ request: DecodeRequest) throws -> Bitmap {
        let bytes = request.data.span
        try request.context.limits.check(info)
        return try Bitmap(header.size, hasAlpha: info.hasAlpha, limits: request.context.limits) { pixels in
            var runs = BMPRuns(header)
            try request.checkCancellation()
            var y = 0
            while let segment = runs.next(bytes) {
                if segment.y != y { try request.checkCancellation() }
                y = segment.y
                paint(segment, bytes, into: &pixels)
            }
        }
    }

    private func paint(_ segment: BMPRuns.Segment, _ bytes: Span<UInt8>, into pixels: inout MutableSpan<UInt8>) {
        let row = header.isTopDown ? segment.y : header.size.height - 1 - segment.y
        let start = row * header.size.width + segment.x
        for index in 0..<segment.count { pixels.set(color(index, of: segment, bytes), at: start + index) }
    }

    private func color(_ index: Int, of segment: BMPRuns.Segment, _ bytes: Span<UInt8>) -> SIMD4<UInt8> {
        switch header.bitsPerPixel {
        case 24:
            let place = segment.position + (segment.isLiteral ? 3 * index : 0)
            return SIMD4(bytes[place + 2], bytes[place + 1], bytes[place], 255)
        case 8: return header.palette[Int(bytes[segment.position + (segment.isLiteral ? index : 0)])]
        default:
            // A run of four bits alternates between two colours.
            let byte = bytes[segment.position + (segment.isLiteral ? index / 2 : 0)]
            return header.palette[Int(index % 2 == 0 ? byte >> 4 : byte & 15)]
        }
    }
}
