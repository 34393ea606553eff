import ArgumentParser
import Darkroom

/// The options of single file formats, which have no effect on others.
struct FileFormatOptions: ParsableArguments {
    @Flag(help: "Write progressive JPEG, which can be shown while it loads.")
    var progressive = false

    @Option(
        help: ArgumentHelp(
            "The colour resolution of JPEG: 444, 422, 420, or auto for 444 from a quality of 90 up, and 420 below.",
            valueName: "ratio"),
        transform: { text in
            guard let value = JPEGSubsampling(rawValue: text.replacing(":", with: "")) else {
                throw ValidationError("it is not 444, 422, 420 or auto.")
            }
            return value
        })
    var subsampling: JPEGSubsampling?

    @Flag(inversion: .prefixedNo, help: "Make the tables of JPEG for each file, by default for small images only.")
    var optimize: Bool?

    @Flag(help: "Write lossless WebP.")
    var lossless = false

    @Option(
        help: ArgumentHelp(
            "Write lossless WebP of slightly rounded pixels; lower numbers round more.", valueName: "0-100"))
    var nearLossless: Int?

    @Flag(
        name: .customLong("sharp-yuv"), inversion: .prefixedNo,
        help: "Preserve sharp edges of colour in WebP, by default from a quality of 90 up.")
    var sharpYUV: Bool?

    @Option(help: ArgumentHelp("The compression level of PNG, 3 by default.", valueName: "0-9"))
    var compressionLevel: Int?

    func validate() throws {
        guard compressionLevel.map({ (0...9).contains($0) }) ?? true else {
            throw ValidationError("--compression-level must be between 0 and 9.")
        }
        guard nearLossless.map({ (0...100).contains($0) }) ?? true else {
            throw ValidationError("--near-lossless must be between 0 and 100.")
        }
    }

    /// The names of the options that were given.
    var names: [String] {
        let given: KeyValuePairs = [
            "--progressive": progressive, "--subsampling": subsampling != nil, "--optimize": optimize != nil,
            "--lossless": lossless, "--near-lossless": nearLossless != nil, "--sharp-yuv": sharpYUV != nil,
            "--compression-level": compressionLevel != nil,
        ]
        return given.filter(\.value).map(\.key)
    }

    /// Applies the options to the context of encoders.
    func apply(to context: inout ImageContext) {
        context.writesProgressiveJPEG = progressive
        if let subsampling { context.jpegSubsampling = subsampling }
        if let optimize { context.optimizesJPEG = optimize }
        context.writesLosslessWebP = lossless
        if let nearLossless { context.webPOptions.nearLosslessLevel = nearLossless }
        if let sharpYUV { context.webPOptions.usesSharpYUV = sharpYUV }
        if let compressionLevel { context.pngCompressionLevel = compressionLevel }
    }
}
