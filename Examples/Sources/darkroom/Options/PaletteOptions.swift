import ArgumentParser
import Darkroom

/// The options of encoding that reduce colours, which affect PNG and GIF.
struct PaletteOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The most colours of PNG and GIF. PNG is lossless by default, GIF has up to 256 a frame.",
            valueName: "2-256"))
    var colors: Int?

    @Option(
        help: ArgumentHelp(
            "The strength of dithering where colours are reduced, 100 by default.", valueName: "0-100"))
    var dithering: Double?

    @Option(
        help: ArgumentHelp(
            "Leave pixels of an animated GIF as they are if no channel changes by more than this.",
            valueName: "0-255"))
    var frameTolerance: Int?

    func validate() throws {
        guard colors.map({ (2...256).contains($0) }) ?? true else {
            throw ValidationError("--colors must be between 2 and 256.")
        }
        guard dithering.map({ (0...100).contains($0) }) ?? true else {
            throw ValidationError("--dithering must be between 0 and 100.")
        }
        guard frameTolerance.map({ (0...255).contains($0) }) ?? true else {
            throw ValidationError("--frame-tolerance must be between 0 and 255.")
        }
    }

    /// The names of the options that were given.
    var names: [String] {
        let given: KeyValuePairs = [
            "--colors": colors != nil, "--dithering": dithering != nil, "--frame-tolerance": frameTolerance != nil,
        ]
        return given.filter(\.value).map(\.key)
    }

    /// Applies the options to the context of encoders.
    func apply(to context: inout ImageContext) {
        if let colors { (context.pngColorCount, context.gifColorCount) = (colors, colors) }
        if let dithering { (context.pngDithering, context.gifDithering) = (dithering / 100, dithering / 100) }
        if let frameTolerance { context.gifFrameTolerance = frameTolerance }
    }
}
