import ArgumentParser
import Console
import Darkroom

/// The options that select the variant of an image.
struct VariantOptions: ParsableArguments {
    @Option(
        name: [.customShort("s"), .long, .customLong("size")],
        help: ArgumentHelp(
            "The size to fit into, such as 300x200, 300x, x200, or 300 for a square; images are never enlarged.",
            valueName: "WxH"))
    var thumbnail: Bounds?

    @Flag(help: "Fill the thumbnail's size, ignoring the aspect ratio.")
    var stretch = false

    @Flag(help: "Fill the thumbnail's size, and crop what is outside.")
    var cover = false

    @Option(help: ArgumentHelp("With --cover, the side that is kept, such as top.", valueName: "place"))
    var gravity: GravityFocus?

    @Option(
        help: ArgumentHelp("With --cover, the point that is kept, such as 0.3x0.7 from the top left.", valueName: "XxY")
    )
    var focus: PointFocus?

    @Flag(help: "Scale the thumbnail in linear light, which preserves the brightness of fine patterns.")
    var linear = false

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

    @Option(
        help: ArgumentHelp(
            "The colour space of the output: srgb, or p3 to keep colours that sRGB lacks.", valueName: "space"),
        transform: { text in
            guard let space = OutputColorSpace(rawValue: text) else { throw ValidationError("it is not srgb or p3.") }
            return space
        })
    var colorSpace: OutputColorSpace?

    /// The paths of images in transforms.
    var imagePaths: [String] { transforms.flatMap(\.imagePaths) }

    func validate() throws {
        let needing: KeyValuePairs = ["--stretch": stretch, "--cover": cover, "--linear": linear]
        for (name, isGiven) in needing where isGiven && thumbnail == nil {
            throw ValidationError("\(name) requires --thumbnail WxH.")
        }
        guard !stretch || !cover else { throw ValidationError("--stretch and --cover cannot be combined.") }
        guard gravity == nil || focus == nil else {
            throw ValidationError("--gravity and --focus cannot be combined.")
        }
        guard cover || gravity == nil && focus == nil else {
            throw ValidationError("--\(gravity == nil ? "focus" : "gravity") requires --cover.")
        }
        guard thumbnail?.isOpen != true || !stretch && !cover else {
            throw ValidationError("--\(stretch ? "stretch" : "cover") requires --thumbnail with a width and a height.")
        }
    }

    /// Returns a context with these options and those of `loading` and `caches`. `manager` loads the images of transforms,
    /// within the limits of `loading`.
    func fullContext(
        _ loading: LoadingOptions? = nil, _ caches: CacheOptions? = nil, imagesFrom manager: ImageManager
    ) async throws(ImageError) -> ImageContext {
        var context = context
        loading?.apply(to: &context)
        caches?.apply(to: &context)
        var transformers: [any ImageTransformer] = []
        for list in transforms {
            transformers += try await list.transformers(imagesFrom: manager, limits: context.limits)
        }
        context.transformers = transformers
        return context
    }

    /// A context with these options other than transforms, which may have images.
    var context: ImageContext {
        var context = ImageContext()
        context.thumbnail = thumbnail.map {
            $0.thumbnail(
                stretch ? .stretch : cover ? .cover : .fit, focus: focus?.focus ?? gravity?.focus ?? .center,
                inLinearLight: linear)
        }
        context.usesFirstFrameOnly = firstFrame
        context.keepsProfile = keepProfile
        if let colorSpace { context.colorSpace = colorSpace }
        return context
    }
}
