import DarkroomCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Decodes a file that is still growing.
///
/// Where rows cannot be read as they come, there is no preview before the picture is whole. Whatever is broken is told
/// when all bytes are there, by the plain decode, so that both say the same.
struct PNGPreviewDecoder: PreviewDecoder {
    private let request: DecodeRequest
    private var file = PNGFile(Data())
    private var outline = PNGOutline()
    private var rows: PNGRows?
    /// How much of the file `rows` has got.
    private var offset = 0
    private var hasStarted = false
    /// The picture, once all of it has come.
    private var picture: Bitmap?

    /// A decoder of the file that `request.data` is the start of.
    init(_ request: DecodeRequest) { self.request = request }

    /// Seconds of each frame that is all there.
    var frameDurations: [Double] { outline.frameDurations }

    mutating func append(_ bytes: Data) throws -> Bitmap? {
        try request.checkCancellation()
        file.append(bytes)
        do {
            try outline.read(file, request.headerRequest(of: file.data))
        } catch {
            (rows, picture, hasStarted) = (nil, nil, true)
            throw error
        }
        guard outline.showsPicture else { return try firstFrame() }
        do {
            try start()
            return rows == nil ? nil : try readOn()
        } catch {
            // libpng cannot go on after a failure.
            rows = nil
            guard (error as? ImageError)?.kind == .corrupt else { throw error }
            return nil
        }
    }

    mutating func finish() throws -> Bitmap {
        rows = nil
        guard let picture, !outline.showsFrame else {
            return try PNGCoder().decode(file.data, request, PNGOutline(request.headerRequest(of: file.data)))
        }
        PNGCoder().noteProfile(request, outline)
        return outline.isAnimated && outline.framesHaveAlpha ? picture.with(alpha: true) : picture
    }

    /// The first frame of an animation to which the picture does not belong, once.
    private mutating func firstFrame() throws -> Bitmap? {
        guard outline.showsFrame, !hasStarted else { return nil }
        hasStarted = true
        return try? PNGCoder().decode(file.data, request, outline)
    }

    /// Begins to read rows when all is there that stands before them.
    private mutating func start() throws {
        guard !hasStarted, let first = outline.picture else { return }
        hasStarted = true
        guard outline.size == request.info.storedSize else { return }
        rows = try? PNGRows(request, isInterlaced: outline.isInterlaced)
        // What pixels do not need is left out, so that nothing long is kept until it is whole.
        try rows?.read(file, 0..<33)
        for chunk in outline.shared { try rows?.read(file, chunk.start..<chunk.end) }
        offset = first.start
    }

    /// Reads the rows that came, up to the chunk behind the pixels.
    private mutating func readOn() throws -> Bitmap? {
        let end = min(outline.pictureEnd, file.count)
        try rows?.read(file, offset..<end)
        offset = end
        guard rows?.isComplete == true, outline.isPictureOver else { return try rows?.preview() }
        // libpng asks whether the compressed data has an end only when the file goes on.
        try rows?.readEnd()
        picture = try rows.take()?.finish()
        return picture
    }
}
