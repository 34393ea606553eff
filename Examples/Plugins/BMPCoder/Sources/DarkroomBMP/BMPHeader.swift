import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The header of a bitmap, in a file of its own or in an icon, where the header of the file is missing.
struct BMPHeader: Sendable {
    /// The way in which pixels are stored.
    enum Storage: Sendable {
        /// Rows of indices of the palette.
        case indices
        /// Rows of blue, green and red bytes.
        case triples
        /// Rows of numbers of 16 or 32 bits, whose channels are selected by masks.
        case numbers(BMPChannels)
        /// Runs of indices or triples.
        case runs
    }

    /// The size of the header of a file, which the header of the pixels follows.
    static let fileHeaderByteCount = 14

    let size: PixelSize
    let bitsPerPixel: Int
    let storage: Storage

    /// Whether the first stored row is the top one.
    let isTopDown: Bool

    /// The colours of all indices; those that the file lacks are black.
    let palette: [SIMD4<UInt8>]

    /// The offset of the pixels.
    let pixelOffset: Int

    /// The range of the embedded profile.
    let profile: Range<Int>?

    /// Whether pixels have alpha that the file declares, or that of an icon.
    var hasAlpha: Bool { if case .numbers(let channels) = storage { channels.alpha != nil } else { false } }

    /// The distance of stored rows in bytes.
    var rowByteCount: Int { (size.width * bitsPerPixel + 31) / 32 * 4 }

    /// The offset behind the last stored row, whose padding may be missing; `nil` if it overflows.
    var pixelEnd: Int? {
        let (before, overflow) = rowByteCount.multipliedReportingOverflow(by: size.height - 1)
        let (end, endOverflow) = before.addingReportingOverflow(pixelOffset + (size.width * bitsPerPixel + 7) / 8)
        return overflow || endOverflow ? nil : end
    }

    /// Returns whether a header of the pixels may have this size.
    static func isKnown(byteCount: Int) -> Bool { byteCount == 12 || 16...124 ~= byteCount }

    /// Parses the header of the pixels at `start`. In an icon, its height counts a mask beneath the pixels as well.
    init(_ bytes: Span<UInt8>, at start: Int, isIcon: Bool) throws(ImageError) {
        let fields = try BMPFields(bytes, at: start)
        let height = isIcon ? fields.height / 2 : abs(fields.height)
        size = PixelSize(fields.width, height)
        isTopDown = !isIcon && fields.height < 0
        bitsPerPixel = fields.bitsPerPixel
        guard size.width > 0, size.height > 0 else {
            throw ImageError(.corrupt, .decode, "the bitmap declares a size of \(fields.width)×\(fields.height) pixels")
        }
        var end = start + fields.headerByteCount
        storage = try fields.storage(bytes, maskEnd: &end, isIcon: isIcon)
        let declared = isIcon ? nil : bytes.number(at: 10, byteCount: 4)
        palette = try fields.palette(bytes, from: &end, declaredEnd: declared)
        pixelOffset = declared.map { $0 >= start + fields.headerByteCount ? $0 : end } ?? end
        profile = fields.profile(bytes, from: start)
    }
}
