import ArgumentParser
import Darkroom

/// The options that control encoding in all formats. Options that a format does not support have no effect on it.
struct EncodingOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The quality of lossy formats, \(Int(DefaultQuality.delivered * 100)) by default. Equal numbers look alike in all of them. auto finds the smallest file with a score of 80 by SSIMULACRA2, and auto:90 one that is visually lossless.",
            valueName: "0-100|auto"))
    var quality: QualityArgument?

    @Option(
        help: ArgumentHelp(
            "The encoder's own number in place of a quality, such as a percentage of JPEG or WebP.", valueName: "n"))
    var encoderQuality: Double?

    @Option(
        help: ArgumentHelp(
            "The maximum file size in lossy formats, GIF, and PNG with --colors: at the highest quality that fits, or up to --quality.",
            valueName: "n"))
    var maxBytes: Int?

    @Option(
        help: ArgumentHelp("Scale the output down to fit into this size, such as 300x200 or 300x.", valueName: "WxH"))
    var maxSize: Bounds?

    @Option(help: ArgumentHelp("The colour behind transparent pixels in formats without alpha.", valueName: "color"))
    var background: Background?

    @Flag(help: "Include all metadata of the source, which may reveal when and where it was taken.")
    var keepMetadata = false

    @Option(
        help: ArgumentHelp(
            "Include metadata by kind: \(KeptMetadata.names.joined(separator: ", ")); such as copyright,icc or all,-location.",
            valueName: "kinds"))
    var keep: KeptMetadata?

    @OptionGroup var fileFormat: FileFormatOptions

    @OptionGroup var palette: PaletteOptions

    func validate() throws {
        guard quality?.isValid ?? true else {
            throw ValidationError(
                "--quality must be between 0 and 100, or auto, or auto with a score between 0 and 100.")
        }
        guard maxBytes.map({ $0 > 0 }) ?? true else { throw ValidationError("--max-bytes must be at least 1.") }
        guard encoderQuality == nil || quality == nil && maxBytes == nil else {
            throw ValidationError("--encoder-quality cannot be combined with --quality or --max-bytes.")
        }
        guard maxSize.map({ $0.pixelSize != nil }) ?? true else {
            throw ValidationError("--max-size must be in whole pixels.")
        }
        guard keep == nil || !keepMetadata else {
            throw ValidationError("--keep and --keep-metadata cannot be combined.")
        }
    }

    /// The names of the options that were given.
    var names: [String] {
        let given: KeyValuePairs = [
            "--quality": quality != nil, "--encoder-quality": encoderQuality != nil, "--max-bytes": maxBytes != nil,
            "--max-size": maxSize != nil,
            "--background": background != nil, "--keep-metadata": keepMetadata, "--keep": keep != nil,
        ]
        return given.filter(\.value).map(\.key) + fileFormat.names + palette.names
    }

    /// Applies the options to the context of encoders.
    func apply(to context: inout ImageContext) {
        (context.quality, context.visualTarget) = (nil, nil)
        quality?.apply(to: &context)
        context.encoderQuality = encoderQuality
        context.encodedByteLimit = maxBytes
        context.encodedSizeLimit = maxSize?.pixelSize
        context.background = background?.color
        context.keptMetadata = keepMetadata ? .all : keep?.kinds ?? []
        if keep?.keepsProfile == true { context.keepsProfile = true }
        fileFormat.apply(to: &context)
        palette.apply(to: &context)
    }
}
