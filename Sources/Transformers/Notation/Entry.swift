import DarkroomCore

extension TransformNotation {
    /// A transform of the notation: its form, and the closure that creates it.
    public struct Entry: Sendable {
        /// The syntax of the transform.
        public let form: Form

        private let make: @Sendable (Values, ImageLookup) throws -> any ImageTransformer

        /// Creates an entry whose transformers are created by `make`.
        init(
            _ name: String, aliases: [String] = [], summary: String, parameters: [Parameter] = [], example: String,
            _ make: @escaping @Sendable (Values, ImageLookup) throws -> any ImageTransformer
        ) {
            form = Form(name, aliases: aliases, summary: summary, parameters: parameters, example: example)
            self.make = make
        }

        /// Creates the transformer for `values`.
        func transformer(for values: Values, images: ImageLookup) throws(ImageError) -> any ImageTransformer {
            do {
                return try make(values, images)
            } catch let error as ImageError {
                throw error
            } catch {
                throw ImageError(.internal, .request, "\(error)", underlying: error)
            }
        }
    }

    /// All transforms of the notation.
    public static let entries: [Entry] = [
        .resize, .thumbnail, .canvas, .pad, .crop, .aspectCrop, .smartCrop, .trim, .flip, .rotate, .roundCorner,
        .watermark,
        .tint, .adjust, .greyscale, .invert, .blur, .sharpen,
    ]
}
