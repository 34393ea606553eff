import Darkroom
import ServerPlatform

/// Parses the options of paths: the steps of `TransformNotation`, and those specific to the server.
struct OptionParser: Sendable {
    /// The steps that create no transformer.
    static let forms: [TransformNotation.Form] =
        [
            format, quality, PaletteOption.form, background, pixelRatio, width, expires, preset, still,
        ] + EncodingSteps.forms

    private static let format = TransformNotation.Form(
        "format", summary: "Sets the output format; without it, the format is negotiated.",
        parameters: [.required("name", .word(ImageFormat.written.map(\.fileExtension), spellings: ["jpg": "jpeg"]))],
        example: "format:webp")
    private static let quality = TransformNotation.Form(
        "quality", summary: "Sets the quality of lossy formats; auto finds the smallest file with a score.",
        parameters: [.required("percent", .text), .optional("score", .number(0...100))], example: "quality:75")
    private static let background = TransformNotation.Form(
        "background", summary: "Sets the colour behind transparent images written as JPEG.",
        parameters: [.required("color", .color)],
        example: "background:white")
    private static let pixelRatio = TransformNotation.Form(
        "dpr", summary: "Multiplies all sizes; auto follows Sec-CH-DPR.", parameters: [.required("ratio", .text)],
        example: "dpr:2")
    private static let width = TransformNotation.Form(
        "width", summary: "Limits the width to Sec-CH-Width.", parameters: [.required("pixels", .word(["auto"]))],
        example: "width:auto")
    private static let expires = TransformNotation.Form(
        "expires", summary: "Sets the expiry of the signature, in seconds since 1970.",
        parameters: [.required("time", .text)], example: "expires:1893456000")
    private static let preset = TransformNotation.Form(
        "preset", summary: "Applies the options with this name in the server's settings.",
        parameters: [.required("name", .text)],
        example: "preset:small")
    private static let still = TransformNotation.Form(
        "still", summary: "Uses only the first frame of an animation.", example: "still")

    /// The sides of `crop`, which the notation allows to be less than a pixel.
    private static let crop = TransformNotation.Form(
        "crop", summary: "Crops to a rectangle.",
        parameters: ["x", "y", "width", "height"].map { .required($0, .number(-1e6...1e6)) },
        example: "crop:10,20,300,200")

    private let notation: TransformNotation
    private let presets: [String: [TransformNotation.Step]]
    private let pixelLimit: Int
    private let stepLimit: Int

    /// Creates a parser with the presets and watermarks of `settings`, and validates all of them.
    init(_ settings: ThumbnailSettings, coders: CoderRegistry) throws {
        let watermarks = try settings.watermarks.mapValues { try coders.decode($0).bitmap }
        let notation = TransformNotation(
            images: { name in
                guard let watermark = watermarks[name] else {
                    throw ImageError(.unsupported, .request, "there is no watermark named \(name)")
                }
                return watermark
            }, others: Self.forms)
        self.notation = notation
        presets = try settings.presets.mapValues { try notation.steps(of: $0) }
        pixelLimit = settings.pixelLimit
        stepLimit = settings.stepLimit
        for name in presets.keys {
            do {
                _ = try transformers(for: try options(in: "preset:\(name)"), pixelRatio: 1, width: nil)
            } catch {
                throw ImageError(.refused, .request, "the preset \(name) is invalid: \(error)")
            }
        }
    }

    /// Parses `text`, which may contain percent escapes, or be escaped as a whole.
    func options(in text: String) throws -> ThumbnailOptions {
        var options = ThumbnailOptions()
        guard !text.isEmpty else { return options }
        for step in try notation.steps(of: Self.unescapedAsAWhole(text)) {
            try apply(step, to: &options, mayBePreset: true)
        }
        return options
    }

    /// Returns the transformers of `options`, with sizes multiplied by the pixel ratio and limited to `width`.
    func transformers(
        for options: ThumbnailOptions, pixelRatio: Double, width: Double?
    ) throws -> [any ImageTransformer] {
        guard options.steps.count <= stepLimit else {
            throw ImageError(
                .overLimit, .request, "the path has \(options.steps.count) transforms, and the limit is \(stepLimit)")
        }
        var transformers: [any ImageTransformer] = []
        for step in options.steps {
            try Self.checkSides(ofCrop: step, pixelRatio: pixelRatio)
            transformers.append(
                try pixelRatio == 1
                    ? notation.transformer(for: step) : notation.transformer(for: step, scaledBy: pixelRatio))
        }
        if let width { transformers.append(.thumbnail(width, 65535)) }
        return try transformers.map { try BoundedTransformer($0, pixelLimit: pixelLimit) }
    }

    /// Returns `text` without escapes if a client has escaped all of it, as a function such as `encodeURIComponent` does:
    /// then it contains none of the characters that separate steps and arguments.
    private static func unescapedAsAWhole(_ text: String) -> String {
        guard !text.utf8.contains(where: { ":+,=".utf8.contains($0) }), text.utf8.contains(UInt8(ascii: "%")) else {
            return text
        }
        return text.withoutPercentEscapes ?? text
    }

    private func apply(
        _ step: TransformNotation.Step, to options: inout ThumbnailOptions, mayBePreset: Bool
    ) throws {
        guard try !options.encoding.add(step) else { return }
        guard let form = Self.forms.first(where: { $0.matches(step) }) else { return options.steps.append(step) }
        let values = try form.values(of: step)
        switch form.name {
        case Self.format.name:
            let name = try values.words("name")
            options.format = ImageFormat.written.first { name.contains($0.fileExtension) }
        case Self.quality.name: options.quality = try Self.fileQuality(from: values)
        case PaletteOption.form.name: options.palette = try PaletteOption(values)
        case Self.background.name: options.background = values.color("color")
        case Self.pixelRatio.name: try setPixelRatio(of: &options, from: try values.text("ratio"))
        case Self.width.name: options.followsWidth = true
        case Self.expires.name: options.expiry = try Self.expiry(from: try values.text("time"))
        case Self.still.name: options.isStill = true
        default:
            let name = try values.text("name")
            guard mayBePreset, let steps = presets[name] else {
                throw ImageError(.unsupported, .request, "there is no preset named \(name)")
            }
            for step in steps { try apply(step, to: &options, mayBePreset: false) }
        }
    }

    /// Throws an error if `step` is a crop to less than a pixel, which would become one.
    private static func checkSides(ofCrop step: TransformNotation.Step, pixelRatio: Double) throws {
        guard crop.matches(step) else { return }
        let values = try crop.values(of: step)
        for name in ["width", "height"] {
            let side = try values.number(name) * pixelRatio
            guard side >= 1 else {
                throw ImageError(.unsupported, .request, "\(name) of crop is \(side), but must be at least 1 pixel")
            }
        }
    }

    private static func fileQuality(from values: TransformNotation.Values) throws -> FileQuality {
        let text = try values.text("percent")
        guard let quality = FileQuality(text, score: values["score"] == nil ? nil : try values.number("score")) else {
            throw ImageError(
                .unsupported, .request, "percent of quality must be 1 to 100, or auto and a score, not \(text)")
        }
        return quality
    }

    private func setPixelRatio(of options: inout ThumbnailOptions, from text: String) throws {
        if text == "auto" {
            options.followsPixelRatio = true
        } else if let ratio = Double(plainDecimal: text.utf8), (0.25...4).contains(ratio) {
            options.pixelRatio = ratio
        } else {
            throw ImageError(.unsupported, .request, "ratio of dpr must be auto or 0.25 to 4, not \(text)")
        }
    }

    private static func expiry(from text: String) throws -> Date {
        guard let seconds = Double(plainDecimal: text.utf8), (0...100_000_000_000).contains(seconds),
            seconds == seconds.rounded()
        else {
            throw ImageError(
                .unsupported, .request, "time of expires must be an integer of seconds since 1970, not \(text)")
        }
        return Date(timeIntervalSince1970: seconds)
    }
}
