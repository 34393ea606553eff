public import DarkroomCore

/// The options for the behaviour of a slot. None of them affects the image or its cache key.
public struct SlotOptions: Sendable {
    /// Whether the placeholder is shown only after the load has failed or was cancelled.
    public var delaysPlaceholder = false

    /// Whether previews and the result are shown in the target. Otherwise the caller handles them itself.
    public var showsImage = true

    /// Whether the previous load of the slot is cancelled. Otherwise it continues, but its result is never shown in the
    /// slot.
    public var cancelsPreviousLoad = true

    /// Whether the transition is also used for images from memory.
    public var forcesTransition = false

    /// Whether the completion is called only after the transition.
    public var waitsForTransition = false

    /// The manager that loads this image; `nil` for the manager of the slots.
    public var manager: ImageManager?

    /// Creates options with the default values, changed by `configure`.
    public init(_ configure: (inout Self) -> Void = { _ in }) { configure(&self) }
}
