public import DarkroomCore

#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// Decodes and encodes TIFF and BigTIFF, whose pages are the frames, using libtiff.
///
/// CMYK is converted to RGB by the colour conversion of the request, or else as `(1 - c) * (1 - k)`.
public struct TIFFCoder: AnimatedImageCoder, EncodingImageCoder {
    /// The duration of every frame, because pages have none.
    public static let pageDuration = Duration.seconds(1)

    /// Whether all pages are frames, and not only the first. The default is `true`.
    public let readsAllPages: Bool

    /// Creates a coder. If it must not read all pages, a file of several is a still.
    public init(readsAllPages: Bool = true) { self.readsAllPages = readsAllPages }

    /// TIFF only.
    public var formats: [ImageFormat] { [.tiff] }

    /// Reads the directories of all pages.
    public func info(of request: InfoRequest) throws -> ImageInfo {
        let outline = try outline(request)
        request.cacheOutline(outline)
        return outline.info
    }

    /// Decodes the first page row by row, or tile by tile.
    public func decode(_ request: DecodeRequest) throws -> Bitmap {
        let outline = try request.outline(outline)
        for note in outline.notes { request.note(note) }
        return try outline.pages[0].bitmap(request)
    }

    /// Returns a decoder of the pages in any order.
    public func makeFrameDecoder(_ request: DecodeRequest) throws -> any FrameDecoder {
        TIFFFrames(request, pages: try request.outline(outline).pages)
    }

    /// Encodes every frame as a page, losslessly by deflate, in grey if it has no colour. Durations are not stored.
    public func encode(_ request: EncodeRequest) throws -> Data { try TIFFWriter.file(request) }

    /// Always, because the files are lossless.
    public func observesByteLimit(of format: ImageFormat) -> Bool { true }

    private func outline(_ request: InfoRequest) throws -> TIFFOutline {
        try TIFFOutline(request, readsAllPages: readsAllPages)
    }
}

/// Decodes the pages of a file.
private struct TIFFFrames: FrameDecoder {
    private let request: DecodeRequest
    private let pages: [TIFFPage]
    private var next = 0

    init(_ request: DecodeRequest, pages: [TIFFPage]) {
        self.request = request
        self.pages = pages
    }

    mutating func nextFrame() throws -> Frame? {
        guard next < pages.count else { return nil }
        defer { next += 1 }
        return Frame(try pages[next].bitmap(request), duration: TIFFCoder.pageDuration)
    }

    mutating func seek(to index: Int) -> Bool {
        next = index
        return true
    }
}
