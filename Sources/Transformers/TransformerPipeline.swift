public import DarkroomCore

/// A sequence of transformers as one, each applied to the result of the previous one.
public struct TransformerPipeline: ImageTransformer {
    private let transformers: [any ImageTransformer]

    /// Creates a pipeline of the transformers in order; without any, images are unchanged.
    public init(_ transformers: [any ImageTransformer]) { self.transformers = transformers }

    /// The identifiers in order, joined by `-`.
    public var identifier: String { transformers.map(\.identifier).joined(separator: "-") }

    /// The thumbnail of a single transformer. For several it is `nil`, because decoding cannot replace all of them.
    public var decodingThumbnail: Thumbnail? {
        transformers.count == 1 ? transformers.first?.decodingThumbnail : nil
    }

    /// The thumbnail that the first transformer needs.
    public var sufficientThumbnail: Thumbnail? { transformers.first?.sufficientThumbnail }

    /// Returns the largest size that any of the transformers may produce from the largest of the previous one.
    public func largestSize(for size: PixelSize) -> PixelSize {
        var (given, largest) = (size, PixelSize(0, 0))
        for transformer in transformers {
            given = transformer.largestSize(for: given)
            if given.pixelCount > largest.pixelCount { largest = given }
        }
        return transformers.isEmpty ? size : largest
    }

    /// Returns the bytes of the transformer that takes most, and of what the previous one returns to it.
    public func workingByteCount(for size: PixelSize) -> Int { transformers.workingByteCount(for: size) }

    /// The sum of the counts of its transformers.
    public var transformerCount: Int { transformers.reduce(0) { $0 + $1.transformerCount } }

    /// Returns a pipeline of the transformers, each resolved for the frame that the previous ones produce.
    public func resolved(forFirstFrame firstFrame: Bitmap, request: TransformRequest) throws -> any ImageTransformer {
        var (frame, request) = (firstFrame, request)
        var resolved: [any ImageTransformer] = []
        for transformer in transformers {
            if let last = resolved.last {
                frame = try last.transform(frame, for: request)
                request = request.reduced(from: nil)
            }
            resolved.append(try transformer.resolved(forFirstFrame: frame, request: request))
        }
        return TransformerPipeline(resolved)
    }

    /// Returns the result of the last transformer, or throws the first error.
    public func transform(_ bitmap: Bitmap, for request: TransformRequest) throws -> Bitmap {
        var (bitmap, request) = (bitmap, request)
        for transformer in transformers {
            try request.checkCancellation()
            bitmap = try transformer.transform(bitmap, for: request)
            request = request.reduced(from: nil)
        }
        return bitmap
    }
}

extension ImageTransformer where Self == TransformerPipeline {
    /// Applies `transformers` in order.
    public static func pipeline(_ transformers: [any ImageTransformer]) -> TransformerPipeline {
        TransformerPipeline(transformers)
    }
}
