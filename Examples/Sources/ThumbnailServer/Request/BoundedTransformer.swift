import Darkroom

/// A transformer that is kept from making more pixels than the server allows an answer.
///
/// The size is checked before anything is allocated: of the result, and of what is needed on the way to it.
struct BoundedTransformer: ImageTransformer {
    private let transformer: any ImageTransformer
    private let pixelLimit: Int

    /// A bound of `pixelLimit` on `transformer`. Throws an `ImageError` when it makes more of a picture of one pixel.
    init(_ transformer: any ImageTransformer, pixelLimit: Int) throws(ImageError) {
        self.init(bounding: transformer, pixelLimit)
        try check(PixelSize(1, 1), .request)
    }

    private init(bounding transformer: any ImageTransformer, _ pixelLimit: Int) {
        self.transformer = transformer
        self.pixelLimit = pixelLimit
    }

    var identifier: String { transformer.identifier }

    var transformerCount: Int { transformer.transformerCount }

    var decodingThumbnail: Thumbnail? { transformer.decodingThumbnail }

    func largestSize(for size: PixelSize) -> PixelSize { transformer.largestSize(for: size) }

    func settled(on firstFrame: Bitmap, _ request: TransformRequest) throws -> any ImageTransformer {
        try check(firstFrame.size, .transform)
        return BoundedTransformer(bounding: try transformer.settled(on: firstFrame, request), pixelLimit)
    }

    func transform(_ bitmap: Bitmap, _ request: TransformRequest) throws -> Bitmap {
        try check(bitmap.size, .transform)
        return try transformer.transform(bitmap, request)
    }

    /// A picture that is larger already, since its source is, may stay so until a later step makes it smaller.
    private func check(_ size: PixelSize, _ stage: ImageError.Stage) throws(ImageError) {
        let largest = transformer.largestSize(for: size)
        guard largest.pixelCount <= max(pixelLimit, size.pixelCount) else {
            throw ImageError(
                .overLimit, stage, "a step makes a picture of \(largest) pixels, and the limit is \(pixelLimit)")
        }
    }
}
