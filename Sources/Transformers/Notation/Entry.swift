import DarkroomCore

extension TransformNotation {
    /// A transform that can be written: its form, and how it is made.
    public struct Entry: Sendable {
        /// What it looks like.
        public let form: Form

        private let make: @Sendable (Values, Pictures) throws -> any ImageTransformer

        /// An entry whose transformers are made by `make`.
        init(
            _ name: String, aliases: [String] = [], _ summary: String, _ parameters: [Parameter] = [], example: String,
            _ make: @escaping @Sendable (Values, Pictures) throws -> any ImageTransformer
        ) {
            form = Form(name, aliases: aliases, summary, parameters, example: example)
            self.make = make
        }

        /// The transformer for `values`.
        func transformer(_ values: Values, _ pictures: Pictures) throws(ImageError) -> any ImageTransformer {
            do {
                return try make(values, pictures)
            } catch let error as ImageError {
                throw error
            } catch {
                throw ImageError(.internal, .request, "\(error)", underlying: error)
            }
        }
    }

    /// All transforms that can be written.
    public static let entries: [Entry] = [
        .resize, .thumbnail, .canvas, .pad, .crop, .aspectCrop, .smartCrop, .trim, .flip, .rotate, .roundCorner,
        .watermark,
        .tint, .adjust, .greyscale, .invert, .blur, .sharpen,
    ]
}
