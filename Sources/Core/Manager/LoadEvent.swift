/// What happens during a load, in the order it happens.
public enum LoadEvent: Sendable {
    /// A loader was asked.
    case started

    /// Bytes arrived: how many so far, and how many there will be if that is known.
    case progress(receivedByteCount: Int, expectedByteCount: Int?)

    /// A picture that still lacks pixels.
    case preview(Image)

    /// The image; nothing comes after it.
    case finished(LoadResult)
}
