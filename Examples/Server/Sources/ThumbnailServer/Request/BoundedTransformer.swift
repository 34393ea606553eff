import Darkroom

/// A transformer that refuses to create more pixels than the server allows.
///
/// The size of the result and of intermediate images is checked before anything is allocated.
struct BoundedTransformer: ImageTransformer {
    private let transformer: any ImageTransformer
    private let pixelLimit: Int

    /// Wraps `transformer` with the bound `pixelLimit`. Throws an `ImageError` if it exceeds the bound even for an
    /// image of one pixel.
    init(_ transformer: any ImageTransformer, pixelLimit: Int) throws(ImageError) {
        self.init(bounding: transformer, to: pixelLimit)
        try check(PixelSize(1, 1), at: .request)
    }

    private init(bounding transformer: any ImageTransformer, to pixelLimit: Int) {
        self.transformer = transformer
        self.pixelLimit = pixelLimit
    }

    var identifier: String { transformer.identifier }

    var transformerCount: Int { transformer.transformerCount }

    var decodingThumbnail: Thumbnail? { transformer.decodingThumbnail }

    var sufficientThumbnail: Thumbnail? { transformer.sufficientThumbnail }

    func largestSize(for size: PixelSize) -> PixelSize { transformer.largestSize(for: size) }

    func workingByteCount(for size: PixelSize) -> Int { transformer.workingByteCount(for: size) }

    func resolved(forFirstFrame firstFrame: Bitmap, request: TransformRequest) throws -> any ImageTransformer {
        try check(firstFrame.size, at: .transform)
        return BoundedTransformer(
            bounding: try transformer.resolved(forFirstFrame: firstFrame, request: request), to: pixelLimit)
    }

    func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        try check(bitmap.size, at: .transform)
        return try transformer.transform(bitmap, for: request)
    }

    /// Throws an error if the transformer enlarges an image beyond the limit. A source may exceed it until a later one scales
    /// it down.
    private func check(_ size: PixelSize, at stage: ImageError.Stage) throws(ImageError) {
        let largest = transformer.largestSize(for: size)
        guard largest.pixelCount <= max(pixelLimit, size.pixelCount) else {
            throw ImageError(
                .overLimit, stage, "a transform creates an image of \(largest) pixels, and the limit is \(pixelLimit)")
        }
    }
}
