import ArgumentParser
import Console
import Darkroom

/// The options that select the variant of an image.
struct VariantOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The size to fit into; images are never enlarged.", valueName: "WxH"))
    var thumbnail: Extent?

    @Flag(help: "Fill the thumbnail's size, ignoring the aspect ratio.")
    var stretch = false

    @Option(
        name: .customLong("transform"),
        help: ArgumentHelp(
            "Transforms, such as crop:0,0,50,50+flip:h; may be given several times. See `darkroom transforms`.",
            valueName: "list"), completion: .transforms, transform: TransformList.init)
    var transforms: [TransformList] = []

    @Flag(help: "Use only the first frame of an animation.")
    var firstFrame = false

    @Flag(help: "Keep the colours and the ICC profile of the file, instead of converting to sRGB.")
    var keepProfile = false

    /// The paths of images in transforms.
    var imagePaths: [String] { transforms.flatMap(\.imagePaths) }

    func validate() throws {
        guard thumbnail != nil || !stretch else { throw ValidationError("--stretch requires --thumbnail WxH.") }
    }

    /// A context with these options.
    var context: ImageContext {
        var context = ImageContext()
        context.thumbnail = thumbnail.map {
            Thumbnail(width: $0.width, height: $0.height, preservesAspectRatio: !stretch)
        }
        context.transformers = transforms.flatMap(\.transformers)
        context.usesFirstFrameOnly = firstFrame
        context.keepsProfile = keepProfile
        return context
    }
}

/// A width and a height, written `180x120`; both positive and finite.
struct Extent: ExpressibleByArgument {
    let width, height: Double

    init?(argument: String) {
        let sides = argument.fields(separatedBy: UInt8(ascii: "x")).map { Double($0) ?? 0 }
        guard sides.count == 2, sides.allSatisfy({ $0 > 0 && $0.isFinite }) else { return nil }
        (width, height) = (sides[0], sides[1])
    }

    /// The size in whole pixels; `nil` when it has fractions.
    var pixelSize: PixelSize? {
        guard let width = Int(exactly: width), let height = Int(exactly: height) else { return nil }
        return PixelSize(width, height)
    }
}
