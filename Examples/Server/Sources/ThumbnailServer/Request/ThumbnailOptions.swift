import Darkroom
import ServerPlatform

/// The parsed options of a path.
struct ThumbnailOptions: Sendable {
    /// A step that creates a transformer.
    typealias Step = TransformNotation.Step

    /// The output format.
    var format: ImageFormat?

    /// The quality of lossy formats.
    var quality: FileQuality?

    /// The reduction of the colours of PNG and GIF.
    var palette: PaletteOption?

    /// The colour behind transparent images written as JPEG.
    var background: Color?

    /// The time at which the signature expires.
    var expiry: Date?

    /// The factor by which sizes are multiplied.
    var pixelRatio = 1.0

    /// Whether the factor follows the browser's hint.
    var followsPixelRatio = false

    /// Whether the width is limited to the browser's hint.
    var followsWidth = false

    /// Whether only the first frame of an animation is used.
    var isStill = false

    /// The steps that concern the encoders.
    var encoding = EncodingSteps()

    /// The steps that create transformers, in order.
    var steps: [Step] = []
}
