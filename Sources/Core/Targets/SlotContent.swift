/// What a slot of an `ImageTarget` shows.
public enum SlotContent: Sendable {
    /// What stands there until there is something better; `nil` for nothing.
    case placeholder(Image?)

    /// A picture that still lacks pixels.
    case preview(Image)

    /// The picture, with its origin and its bytes.
    case result(LoadResult)

    /// What is to be seen; `nil` for nothing.
    public var image: Image? {
        switch self {
        case .placeholder(let image): image
        case .preview(let image): image
        case .result(let result): result.image
        }
    }
}
