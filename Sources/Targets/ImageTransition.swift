/// An animated change to a newly loaded image.
///
/// It is used for images that were not in memory, never for previews and placeholders. All members are called on the
/// target's actor. A transition must not keep the target alive.
public protocol ImageTransition {
    /// The duration of the transition. The default is half a second.
    var duration: Duration { get }

    /// Changes from the current content of `slot` to `content`, and returns when the transition is complete.
    ///
    /// `show` makes the target show `content`; a transition that presents it in its own way need not call it. When
    /// another load takes the slot, the task is cancelled, and `show` has no effect any more.
    nonisolated(nonsending) func run(
        to content: SlotContent, in slot: String, on target: any ImageTarget, show: () -> Void
    ) async
}

extension ImageTransition {
    /// Half a second.
    public var duration: Duration { .milliseconds(500) }
}
