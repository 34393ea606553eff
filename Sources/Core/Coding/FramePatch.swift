/// Where and how the pixels of one frame go on the canvas of an animation, as its file tells.
public struct FramePatch: Hashable, Sendable {
    /// How the pixels meet those of the canvas.
    public enum Blending: Hashable, Sendable {
        /// They take their place, alpha included.
        case replace
        /// They lie over them.
        case over
    }

    /// What becomes of the canvas after the frame was shown.
    public enum Disposal: Hashable, Sendable {
        /// It stays.
        case keep
        /// The frame's area becomes transparent.
        case clear
        /// It becomes what it was before the frame was drawn.
        case restore
    }

    /// The part of the canvas that the pixels cover. The coder has cut it to the canvas; it may be empty.
    public var area: PixelRectangle

    /// How the pixels meet those of the canvas.
    public var blending: Blending

    /// What becomes of the canvas afterwards.
    public var disposal: Disposal

    /// Whether pixels may be transparent; false only when the file says so.
    public var hasAlpha: Bool

    /// Seconds the frame is shown.
    public var duration: Double

    /// A patch of these properties.
    public init(
        area: PixelRectangle, blending: Blending, disposal: Disposal, hasAlpha: Bool = true, duration: Double
    ) {
        self.area = area
        self.blending = blending
        self.disposal = disposal
        self.hasAlpha = hasAlpha
        self.duration = duration
    }
}
