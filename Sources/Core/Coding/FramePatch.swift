/// The area of the canvas that a frame of an animation changes, and how it is composited.
public struct FramePatch: Hashable, Sendable {
    /// The way in which pixels are composited with the canvas.
    public enum Blending: Hashable, Sendable {
        /// The pixels replace those of the canvas, including alpha.
        case replace
        /// The pixels are composited over the canvas.
        case over
    }

    /// The change of the canvas after the frame.
    public enum Disposal: Hashable, Sendable {
        /// The canvas is unchanged.
        case keep
        /// The area of the frame becomes transparent.
        case clear
        /// The canvas is restored to its state before the frame.
        case restore
    }

    /// The area of the pixels, which must be within the canvas, and may be empty.
    public var area: PixelRectangle

    /// The way in which the pixels are composited.
    public var blending: Blending

    /// The change of the canvas afterwards.
    public var disposal: Disposal

    /// Whether pixels may be transparent. It is false only if the file guarantees that.
    public var hasAlpha: Bool

    /// How long the frame is shown.
    public var duration: Duration

    /// Creates a patch with these properties.
    public init(
        area: PixelRectangle, blending: Blending, disposal: Disposal, hasAlpha: Bool = true, duration: Duration
    ) {
        self.area = area
        self.blending = blending
        self.disposal = disposal
        self.hasAlpha = hasAlpha
        self.duration = duration
    }
}
