/// How a load goes with its slot. Nothing in here changes the picture, or the key under which it is kept.
public struct SlotOptions: Sendable {
    /// Whether the placeholder is shown only at the end, when the load has failed or was cancelled.
    public var delaysPlaceholder = false

    /// Whether the target is not told to show previews and result: the caller does something else with them.
    public var avoidsAutoSetImage = false

    /// Whether the load that the slot had before goes on. Its answer is never shown in the slot.
    public var avoidsAutoCancel = false

    /// Whether the transition is used wherever the image came from, memory included.
    public var forcesTransition = false

    /// Whether the completion is called only when the transition is over.
    public var waitsForTransition = false

    /// Who loads this picture; `nil` for the manager of the slots.
    public var manager: ImageManager?

    /// None of that.
    public init(_ configure: (inout Self) -> Void = { _ in }) { configure(&self) }
}
