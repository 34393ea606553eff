import Darkroom

/// The reduction of colours in PNG and GIF that a path asks for.
struct PaletteOption: Sendable {
    /// The syntax of the option.
    static let form = TransformNotation.Form(
        "colors", summary: "Reduces the colours of PNG and GIF to a palette.",
        parameters: [
            .required("count", .integer(2...256)),
            .optional("dithering", .number(0...100, of: "percent"), default: "100"),
            .optional("tolerance", .integer(0...255), default: "0"),
        ],
        example: "colors:64,dithering=50,tolerance=8")

    private let count: Int
    private let dithering: Double
    private let tolerance: Int

    /// Creates the option from `values` of its form.
    init(_ values: TransformNotation.Values) throws(ImageError) {
        count = try values.integer("count")
        dithering = try values.number("dithering") / 100
        tolerance = try values.integer("tolerance")
    }

    /// Sets the options of the encoders.
    func apply(to context: inout ImageContext) {
        (context.pngColorCount, context.gifColorCount) = (count, count)
        (context.pngDithering, context.gifDithering) = (dithering, dithering)
        context.gifFrameTolerance = tolerance
    }
}
