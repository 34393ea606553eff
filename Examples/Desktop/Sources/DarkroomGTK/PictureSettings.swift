public import DarkroomCore

/// How a ``RemotePicture`` loads and shows its pictures.
public struct PictureSettings: Sendable {
    /// How a picture is placed in the area of its widget.
    public enum ContentFit: Hashable, Sendable, CaseIterable {
        /// The whole picture.
        case contain
        /// The whole picture, not larger than its pixels.
        case scaleDown
        /// The whole area, with parts of the picture cut off.
        case cover
        /// The whole area, whatever the aspect ratio of the picture.
        case fill
    }

    /// The size of the widget in points. Pictures are loaded as thumbnails of this size in pixels of the monitor; `nil`
    /// loads them at their own size, into as much space as the widget is given.
    public var size: (width: Double, height: Double)?

    /// How pictures are placed.
    public var contentFit = ContentFit.contain

    /// How long a picture that was not in memory fades in; zero for no fade.
    public var fadeDuration = Duration.milliseconds(250)

    /// Whether a bar shows the progress of loads.
    public var showsProgress = true

    /// Whether a click on the picture of an error loads the URL again.
    public var retriesOnClick = true

    /// Whether animations play while they are on screen; otherwise their first frame is shown.
    public var playsAnimations = true

    /// The picture shown until there is a better one; `nil` for a grey area.
    public var placeholder: Image?

    /// The picture shown beneath the icon of an error; `nil` for the placeholder. A picture that has loaded stays instead when
    /// that of another scale cannot be loaded.
    public var errorPicture: Image?

    /// The budget that includes the decoded frames of animations, such as that of the manager; `nil` for none.
    public var memoryBudget: MemoryBudget?

    /// The options of the loads. With ``size``, its thumbnail is replaced.
    public var context = ImageContext()

    /// Creates settings with the default values, changed by `configure`.
    public init(_ configure: (inout Self) -> Void = { _ in }) { configure(&self) }

    /// The options of a load on a monitor with `scale` pixels per point.
    func context(scale: Int) -> ImageContext {
        guard let size else { return context }
        var context = context
        let (width, height) = (size.width * Double(scale), size.height * Double(scale))
        context.thumbnail =
            switch contentFit {
            case .cover: .cover(width, height)
            case .fill: .stretch(width, height)
            case .contain, .scaleDown: .fit(width, height)
            }
        return context
    }
}
