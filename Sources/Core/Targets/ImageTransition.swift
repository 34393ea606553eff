/// Brings a picture to be seen in another way than at once.
///
/// It is used for pictures that took time to come, not for previews, placeholders and what was in memory. Called on the actor
/// of the target; it must not keep the target alive.
public protocol ImageTransition {
    /// How long it takes; half a second unless it says otherwise.
    var duration: Duration { get }

    /// Goes from what `target` shows in `slot` to `content`, and returns when it is over.
    ///
    /// `show` tells the target to show `content`; a transition that shows it in its own way need not call it. When another
    /// load takes the slot, the task is cancelled, and `show` does nothing any more.
    nonisolated(nonsending) func run(
        to content: SlotContent, in slot: String, on target: any ImageTarget, show: () -> Void
    ) async
}

extension ImageTransition {
    /// The default.
    public var duration: Duration { .milliseconds(500) }
}
