public import DarkroomCore

/// The content of a slot of an ``ImageTarget``.
public enum SlotContent: Sendable {
    /// The placeholder until a preview or the image is available; `nil` for none.
    case placeholder(Image?)

    /// A preview of an image that is still loading.
    case preview(Image)

    /// The loaded image, with its origin and encoded data.
    case result(LoadResult)

    /// The image to draw; `nil` for none.
    public var image: Image? {
        switch self {
        case .placeholder(let image): image
        case .preview(let image): image
        case .result(let result): result.image
        }
    }
}
