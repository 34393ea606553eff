import CTIFF
import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The pages of a file that are its frames: all that have the size, the orientation and the colour space of the first.
///
/// Previews, masks and pages that cannot be decoded are no frames either.
struct TIFFOutline: Sendable {
    /// The pages, at least one.
    private(set) var pages: [TIFFPage]

    /// The header in Darkroom's form.
    private(set) var info: ImageInfo

    /// Sentences about pages that are left out.
    private(set) var notes: [String]

    /// Reads the directories of `request.data`, or only up to the first page.
    init(_ request: InfoRequest, readsAllPages: Bool) throws {
        let directories = try TIFFDirectories(request)
        let file = try TIFFHandle(reading: request.data, limits: request.limits)
        let firstOffset = try Self.offsetOfFirstPage(directories.offsets, file, request)
        let first = try Self.page(at: firstOffset, of: file)
        info = Self.info(of: first, file, request.limits)
        pages = [first]
        notes = readsAllPages ? directories.problem.map { [$0] } ?? [] : []
        var skippedCount = 0
        for offset in readsAllPages ? directories.offsets : [] where offset != firstOffset {
            try request.checkCancellation()
            guard let page = try? Self.page(at: offset, of: file) else {
                skippedCount += 1
                continue
            }
            if page.isAuxiliary { continue }
            let hasSameProfile = page.profile(in: file) == info.iccProfile
            if page.isFrame(beside: first, hasSameProfile: hasSameProfile) {
                pages.append(page)
            } else {
                skippedCount += 1
            }
        }
        if skippedCount > 0 {
            notes.append("\(skippedCount) pages are left out, because they differ from the first or cannot be decoded")
        }
        declareFrames()
    }

    private mutating func declareFrames() {
        info.hasAlpha = pages.contains { $0.alphaIndex != nil }
        guard pages.count > 1 else { return }
        info.frameCount = pages.count
        info.frameDurations = pages.map { _ in TIFFCoder.pageDuration }
    }

    /// Returns the offset of the first page that is neither a preview nor a mask; that of the first one if all are.
    private static func offsetOfFirstPage(
        _ offsets: [UInt64], _ file: TIFFHandle, _ request: InfoRequest
    ) throws -> UInt64 {
        for offset in offsets {
            try request.checkCancellation()
            guard file.selectPage(at: offset) else { break }
            let kind = file.long(TIFFTAG_SUBFILETYPE) ?? 0
            if kind & Int(FILETYPE_REDUCEDIMAGE | FILETYPE_MASK) == 0 { return offset }
        }
        return offsets[0]
    }

    private static func page(at offset: UInt64, of file: TIFFHandle) throws(ImageError) -> TIFFPage {
        guard file.selectPage(at: offset) else { throw file.error("the header of a page of the TIFF is damaged") }
        return try TIFFPage(file, at: offset)
    }

    private static func info(of page: TIFFPage, _ file: TIFFHandle, _ limits: DecodeLimits) -> ImageInfo {
        var info = ImageInfo(format: .tiff, storedSize: page.size)
        info.orientation = page.orientation
        info.bitsPerChannel = page.colorModel == .indexed || page.becomesSRGB ? 8 : page.bitsPerSample
        info.colorModel = page.colorModel
        info.iccProfile = page.profile(in: file)
        info.xmp = file.bytes(TIFFTAG_XMLPACKET, byteLimit: limits.metadataByteCount).flatMap { XMP($0) }
        info.iptc = file.bytes(TIFFTAG_RICHTIFFIPTC, byteLimit: limits.metadataByteCount)
        return info
    }
}

extension TIFFPage {
    /// Returns the profile that applies to the decoded pixels, from the page itself, which is the current one of `file`; `nil`
    /// if none does.
    fileprivate func profile(in file: TIFFHandle) -> Data? {
        becomesSRGB ? nil : file.bytes(TIFFTAG_ICCPROFILE, byteLimit: .max)
    }

    /// Whether the page can be a frame in the same file as `first`, whose profile is that of all frames.
    fileprivate func isFrame(beside first: TIFFPage, hasSameProfile: Bool) -> Bool {
        size == first.size && orientation == first.orientation && (colorModel == .cmyk) == (first.colorModel == .cmyk)
            && hasSameProfile
    }
}
