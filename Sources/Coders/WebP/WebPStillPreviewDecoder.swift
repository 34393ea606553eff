import DarkroomCore
import DarkroomPlatform

/// Previews the available rows of a still.
struct WebPStillPreviewDecoder: PreviewDecoder {
    private let request: DecodeRequest
    private let image: WebPStoredImage
    private let slices: WebPSlices
    private let rows: WebPRows
    /// Whether the limits allow rows and a copy of them at once. If not, only the complete image is returned.
    private let allowsPreviews: Bool
    private var file = Data()
    private var end = 0
    private var steps: PreviewSteps

    /// Creates a decoder. `container` must have been read from the data of `request`.
    init(for request: DecodeRequest, container: WebPContainer) throws {
        self.request = request
        image = try WebPStoredImage(still: container, target: request.target)
        let limits = request.context.limits
        try limits.check(decodedByteCount: image.decodedByteCount)
        allowsPreviews = image.decodedByteCount + (image.size.byteCount ?? 0) <= limits.decodedByteCount
        let features = image.frame.features
        // For lossless pixels, up to eight rows are decoded again with each slice.
        slices = WebPSlices(
            of: features, byteCount: image.frame.pixels.count, atLeast: features.isLossless ? 16 : 64)
        rows = try WebPRows(image, limits: limits)
        steps = PreviewSteps(rowCount: image.size.height, shownSize: image.size, firstRowCount: 1)
    }

    mutating func append(_ bytes: Data) throws -> Bitmap? {
        file.append(bytes)
        try decode()
        let count = rows.count
        guard allowsPreviews, count < image.size.height, steps.take(rowCount: count) else { return nil }
        return try rows.preview(rowCount: count, limits: request.context.limits)
    }

    mutating func partialBitmap() throws -> Bitmap? {
        rows.count > 0 && allowsPreviews ? try rows.preview(rowCount: rows.count, limits: request.context.limits) : nil
    }

    mutating func finish() throws -> Bitmap {
        let whole = try WebPContainer(request.headerRequest(of: file))
        guard try whole.firstFrame.isComplete(in: file) else { throw ImageError.truncatedWebP }
        try decode()
        guard rows.isComplete else { throw ImageError.corruptPixels }
        return rows.whole()
    }

    /// Decodes the available slices.
    private mutating func decode() throws {
        let start = image.frame.pixels.lowerBound
        while !rows.isComplete {
            try request.checkCancellation()
            let next = slices.end(after: end, hasRows: rows.count > 0)
            guard next > end, start + next <= file.endIndex else { return }
            end = next
            try rows.update(file[start..<(start + next)])
        }
    }
}

/// The rows of an image that is decoded while its bytes arrive.
@safe private final class WebPRows {
    private let image: WebPStoredImage
    private let storage: PixelStorage
    private let decoder: WebPPixelDecoder

    init(_ image: WebPStoredImage, limits: DecodeLimits) throws(ImageError) {
        self.image = image
        storage = try PixelStorage(image.size, limits: limits)
        decoder = try unsafe WebPPixelDecoder(image.frame.features, into: storage.bytes, size: image.size)
    }

    var count: Int { decoder.rowCount }

    var isComplete: Bool { decoder.isFinished }

    func update(_ pixelData: Data) throws(ImageError) { try decoder.update(pixelData) }

    /// Returns the first rows, with transparent ones below.
    func preview(rowCount: Int, limits: DecodeLimits) throws -> Bitmap {
        let copy = try PixelStorage(image.size, limits: limits)
        let byteCount = rowCount * image.size.width * 4
        let rows = unsafe UnsafeMutableRawBufferPointer(start: copy.bytes.baseAddress, count: byteCount)
        unsafe rows.copyMemory(from: UnsafeRawBufferPointer(start: storage.bytes.baseAddress, count: byteCount))
        if image.mustBeMadeOpaque { unsafe rows.makeOpaque() }
        // Opaque rows have no colour under alpha 0, so they need not be searched for it.
        return Bitmap(image.size, hasAlpha: image.hasAlpha, adopting: copy).with(alpha: true)
    }

    /// Returns all rows, which must be complete. It may be called once.
    func whole() -> Bitmap {
        if image.mustBeMadeOpaque { unsafe UnsafeMutableRawBufferPointer(storage.bytes).makeOpaque() }
        return Bitmap(image.size, hasAlpha: image.hasAlpha, adopting: storage)
    }
}
